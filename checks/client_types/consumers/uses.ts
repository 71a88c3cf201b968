/** A program that uses everything in the client for JavaScript, and makes the mistakes that types must find. */

import {
  CODES,
  Client,
  VERSION,
  type Answer,
  type Constraint,
  type ItineraryRequest,
  type Lookup,
  type ListedCode,
  type Model,
  type Recall,
  type Segment,
  type Settings,
  type VerifyRequest,
  type WhyNot,
} from "battery-travel";

const settings: Settings = {
  key: "btk_1",
  language: "ja",
  sandbox: false,
  patience: { attempts: 1 },
  fetch: async (address, request) => [address, request],
  clock: () => ({ wall: 0, monotonic: 0 }),
};

const flight: VerifyRequest = {
  model_id: "anker-a1289",
  quantity: 2,
  trip: { origin: "AE", destination: "GB", airline: "EK", date: "2026-12-01" },
};

const itinerary: ItineraryRequest = {
  passengers: 2,
  items: [{ model_id: "anker-a1289", carried_by: 1 }, { label: { watt_hour: 74 }, ref: "other" }],
  segments: [{ origin: "DXB", destination: "LHR", operating_airline: "EK" }],
};

export async function ask(client: Client = new Client("https://service.example", settings)): Promise<string[]> {
  const said: string[] = [VERSION, ...CODES];
  const answer: Answer<VerifyRequest> = await client.verify(flight);
  const clear: boolean = answer.clearToPack();
  const whyNot: WhyNot | null = answer.whyNot();
  if (whyNot !== null) said.push(whyNot.code, whyNot.message, whyNot.field ?? "no field");
  if (whyNot?.code === "rate_limited") said.push(`${answer.retryAfterSeconds ?? 0}`);
  const constraints: readonly Constraint[] = answer.constraints;
  for (const constraint of constraints) said.push(constraint.message, ...constraint.rule_ids);
  for (const warning of answer.warnings) said.push(warning.severity, ...warning.rule_ids);
  for (const citation of answer.citations) said.push(citation.url, citation.jurisdiction ?? "everywhere");
  said.push(answer.question.trip.origin, `${answer.expiresAt?.getTime()}`, answer.nextStep?.message ?? "");
  for (const error of answer.problem?.errors ?? []) said.push(error.field);

  const trip = await client.verifyTrip({
    device: { model_id: "anker-a1289" },
    trip: { origin: "JP", transit: ["KR"], destination: "SG", airline: "SQ" },
  });
  const segments: readonly Segment[] = trip.segments;
  said.push(...segments.map((segment) => segment.obstacle ?? "clear"));
  await client.verifyTrip({
    device: { model_id: "anker-a1289" },
    trip: { legs: [{ origin: "JP", destination: "SG", airline: "SQ" }] },
  });

  for (const passenger of (await client.verifyItinerary(itinerary)).passengers) {
    said.push(`${passenger.number} ${passenger.clearToPack()}`, ...passenger.items.map((share) => share.ref));
  }
  for (const one of await client.verifyBatch([flight])) said.push(`${one.question.quantity} ${one.clearToPack()}`);
  for (const one of await client.verifyItineraryBatch([itinerary])) said.push(one.passengers[0]?.whyNot()?.code ?? "");

  const models: Lookup<Model> = await client.search("anker", { limit: 3 });
  for (const model of models.found ?? []) said.push(model.model_id, `${model.watt_hour ?? "unknown"} Wh`);
  const codes: Lookup<ListedCode> = await client.codes("constraint");
  for (const code of codes.found ?? []) said.push(code.code, code.written_as ?? code.code, ...code.sentences);
  const recalls: Lookup<Recall> = await client.recalls("anker-a1289", { serial: "AC20007" });
  said.push(recalls.found === null ? "not known" : `${recalls.found.length} recalls`, `${clear}`);

  // @ts-expect-error The parentheses are missing, so this would always be true.
  if (answer.clearToPack) said.push("clear");
  // @ts-expect-error What is not known is no empty list.
  said.push(`${recalls.found.length}`);
  // @ts-expect-error An answer has no verdict to compare.
  if (answer.verdict === "allowed") said.push("clear");
  // @ts-expect-error There is no such field: a misspelt one must not be ignored.
  await client.verify({ model_id: "anker-a1289", quantty: 3, trip: flight.trip });
  // @ts-expect-error No program writes an answer.
  answer.constraints.push({ code: "none", message: "", rule_ids: [] });
  // @ts-expect-error Answers come from the client alone.
  new Answer();
  return said;
}
