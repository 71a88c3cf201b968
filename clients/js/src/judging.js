/**
 * The one decision of this package: does this answer permit packing? All other modules only bring answers here.
 * Each check has its own reason to refuse. An answer that passes all of them has the verdict `allowed`, from
 * the service, for the question that was asked, and in time. There is no other way through, and no setting
 * creates one.
 *
 * @module
 */

import { isAbout, isSettled } from "./devices.js";
import { httpDate } from "./instants.js";
import { MAX_UNITS, agrees, answersItinerary, isSound, passengersOf } from "./itineraries.js";
import { Malformed, itineraryRecord, parsed, problem, tripRecord, verifyRecord } from "./reading.js";
import { whyNot } from "./reasons.js";

/** How much clocks may disagree. Beyond that, it is unknown what has expired. */
export const CLOCK_TOLERANCE = 120_000;

/** The outcome steps of a path without any objection. */
const OUTCOMES = "recall.not_affected,verdict.allowed";

const READERS = { verify: verifyRecord, verify_trip: tripRecord, verify_itinerary: itineraryRecord };

/** @type {ReadonlyMap<number, null>} */
const NOBODY = new Map();

/**
 * The response to one request; status 0 if there is none.
 *
 * @typedef {object} Reply
 * @property {import("./instants.js").Instant} sent
 * @property {import("./instants.js").Instant} received
 * @property {number} status
 * @property {{get(name: string): string | null}} headers
 * @property {Uint8Array} content
 * @property {"timeout" | "unreachable" | null} failure
 */

/**
 * The question: the body as it was sent, and the operation.
 *
 * @typedef {Readonly<{operation: keyof typeof READERS, request: any}>} Question
 */

/**
 * The meaning of a reply. `refusal` is the reason against it that applies at any time; time can only add reasons.
 * `passengers` has the same for each passenger of an itinerary alone.
 *
 * @typedef {Readonly<{record: import("./reading.js").Record_ | null, problem: import("./index.js").Problem | null,
 *   refusal: import("./index.js").WhyNot | null,
 *   passengers: ReadonlyMap<number, import("./index.js").WhyNot | null>}>} Understood
 */

/**
 * Return the meaning of a reply to a question, with any reason against it.
 *
 * @param {Reply} reply
 * @param {Question} question
 * @param {boolean} sandbox
 * @returns {Understood}
 */
export function understood(reply, question, sandbox) {
  if (reply.failure !== null) return refused(whyNot(reply.failure));
  if (reply.status !== 200) return failed(reply);
  try {
    const record = READERS[question.operation](bodyOf(reply));
    const against = (/** @type {number | null} */ passenger) =>
      objection(reply, record, question, sandbox, passenger);
    const numbers = question.operation === "verify_itinerary" ? passengersOf(question.request) : [];
    const passengers = new Map(numbers.map((number) => [number, against(number)]));
    return { record, problem: null, refusal: against(null), passengers };
  } catch (error) {
    // After any error in reading: a body that was not read to its end is no answer.
    return refused(error instanceof Malformed ? whyNot("malformed", error.message, error.field) : whyNot("malformed"));
  }
}

/**
 * Return why an answer is no longer valid at a moment of this machine; null if it is valid. Two clocks count:
 * the one of this machine, and the service's own (its `Date` and the time since). The later of both decides. If
 * they disagree, nothing is known.
 *
 * @param {Reply} reply
 * @param {import("./reading.js").Record_} record
 * @param {import("./instants.js").Instant} now
 * @returns {import("./index.js").WhyNot | null}
 */
export function expiredOrDoubtful(reply, record, now) {
  const date = httpDate(reply.headers.get("date"));
  if (Number.isNaN(date)) return whyNot("clock_in_doubt", "The answer has no `Date`.");
  const agrees =
    reply.sent.wall - CLOCK_TOLERANCE <= date && date <= reply.received.wall + CLOCK_TOLERANCE;
  if (!agrees) return whyNot("clock_in_doubt");
  const goneByTheWall = now.wall - reply.sent.wall;
  const gone = now.monotonic - reply.sent.monotonic;
  // In this form, a clock that returns no number is also in doubt.
  if (!(gone >= 0 && goneByTheWall >= gone - CLOCK_TOLERANCE)) {
    return whyNot("clock_in_doubt", "The clock of this machine was set back.");
  }
  if (!(Math.max(now.wall, date + Math.max(gone, goneByTheWall)) < record.expires_at)) return whyNot("expired");
  if ((reply.headers.get("age") ?? "0") !== "0") return whyNot("not_fresh");
  return Math.abs(record.generated_at - date) <= CLOCK_TOLERANCE ? null : whyNot("not_fresh");
}

/** @param {import("./index.js").WhyNot} refusal @returns {Understood} */
function refused(refusal) {
  return { record: null, problem: null, refusal, passengers: NOBODY };
}

/**
 * Return the JSON of a reply. Throws `Malformed`.
 *
 * @param {Reply} reply
 * @returns {any}
 */
export function bodyOf(reply) {
  const type = (reply.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
  if (type !== "application/json") throw new Malformed("It is not marked as JSON.");
  return parsed(reply.content);
}

/**
 * Return whether a reply comes from a sandbox.
 *
 * @param {Reply} reply
 * @param {string} rulesetVersion
 * @returns {boolean}
 */
export function isMadeUp(reply, rulesetVersion) {
  return reply.headers.get("x-sandbox") !== null || rulesetVersion.startsWith("sandbox");
}

/**
 * Return the meaning of an answer without a verdict.
 *
 * @param {Reply} reply
 * @returns {Understood}
 */
export function failed(reply) {
  let reported = null;
  try {
    reported = problem(reply.status, parsed(reply.content));
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
  }
  if (reply.status === 429) return { ...refused(whyNot("rate_limited")), problem: reported };
  if (reply.status >= 500) return { ...refused(whyNot("server_error")), problem: reported };
  if (reported === null || reply.status < 400) return refused(whyNot("unexpected_status"));
  const named = reported.errors.map(({ field, code, message }) => `\`${field}\` (${code}): ${message}`);
  const more = [`${reported.code}: ${reported.detail}`, ...named].join(" ");
  return { ...refused(whyNot("refused", more, reported.errors[0]?.field)), problem: reported };
}

/**
 * Return the most important reason against an answer that does not depend on time; null if there is none. With a
 * passenger of an itinerary, that against this one.
 *
 * @param {Reply} reply
 * @param {import("./reading.js").Record_} record
 * @param {Question} question
 * @param {boolean} sandbox
 * @param {number | null} passenger
 */
function objection(reply, record, question, sandbox, passenger) {
  if (!answers(record, question)) return whyNot("other_question");
  const verdict = verdictOn(record, passenger);
  switch (verdict) {
    case "conditional":
    case "banned":
    case "insufficient":
      return whyNot(verdict);
    case "allowed":
      break;
    default:
      return whyNot("unknown_verdict");
  }
  if (!isConsistent(record, question, passenger)) return whyNot("contradictory");
  return isMadeUp(reply, record.ruleset_version) && !sandbox ? whyNot("sandbox") : null;
}

/**
 * Return the verdict; with a passenger, that on what they carry, if they carry anything.
 *
 * @param {import("./reading.js").Record_} record
 * @param {number | null} passenger
 */
function verdictOn(record, passenger) {
  return record.packing?.bags.find((bag) => bag.passenger === passenger)?.verdict ?? record.verdict;
}

/**
 * Return whether an answer can belong to a question. An answer repeats only parts of its question.
 *
 * @param {import("./reading.js").Record_} record
 * @param {Question} question
 */
function answers(record, question) {
  const { operation, request } = question;
  if (isItinerary(record)) return answersItinerary(record, request);
  if (operation === "verify") {
    return record.device?.model_id === request.model_id && isAbout(record.body.device_resolved, request.serial);
  }
  const legs = legsOf(request.trip);
  return (
    record.device?.model_id === request.device.model_id &&
    legs.length > 0 &&
    legs.length === record.segments.length &&
    record.segments.every(
      (one, at) =>
        one.index === at + 1 &&
        one.origin === legs[at].origin &&
        one.destination === legs[at].destination &&
        one.airline === legs[at].airline,
    )
  );
}

/**
 * Return whether nothing else in an answer contradicts its verdict `allowed`.
 *
 * @param {import("./reading.js").Record_} record
 * @param {Question} question
 * @param {number | null} passenger
 */
function isConsistent(record, question, passenger) {
  const { operation, request } = question;
  if (isItinerary(record)) {
    const numbers = passenger === null ? record.packing.bags.map((bag) => bag.passenger) : [passenger];
    return agrees(record) && numbers.every((number) => isSound(record, request, number));
  }
  if (operation === "verify_trip") {
    return (
      record.device?.watt_hour != null &&
      record.segments.every((one) => one.obstacle === null && one.error === null) &&
      record.body.segments.every(
        (/** @type {any} */ one) => one.verdict.ruleset_version === record.ruleset_version,
      )
    );
  }
  const { device_resolved: device, verdict_path: path } = record.body;
  return (
    path.at(-1) === "verdict.allowed" &&
    path.filter((/** @type {string} */ step) => /^(recall|verdict)\./.test(step)).join() === OUTCOMES &&
    isSettled(device) &&
    keepsItsConstraints(record, request)
  );
}

/**
 * @param {import("./reading.js").Record_} record
 * @returns {record is import("./itineraries.js").Itinerary}
 */
function isItinerary(record) {
  return record.packing !== null;
}

/**
 * Return whether the unit meets the constraints that can be checked from the question about a flight.
 *
 * @param {import("./reading.js").Record_} record
 * @param {any} request
 */
function keepsItsConstraints(record, request) {
  const checked = request.trip.compartment_intent === "checked";
  return record.constraints.every(({ code }) => {
    const atMost = MAX_UNITS.exec(code);
    return !(atMost && Number(atMost[1]) < (request.quantity ?? 1)) && !(checked && code === "carry_on_only");
  });
}

/**
 * @param {any} trip
 * @returns {ReadonlyArray<{origin: string, destination: string, airline: string}>}
 */
function legsOf(trip) {
  if (trip.legs !== undefined) return trip.legs;
  const points = [trip.origin, ...(trip.transit ?? []), trip.destination];
  return points
    .slice(1)
    .map((destination, at) => ({ origin: points[at], destination, airline: trip.airline }));
}
