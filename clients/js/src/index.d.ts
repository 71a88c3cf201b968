/**
 * May this power bank travel on this flight? A client that fails closed. The types of this package; the words of
 * its fields are those of the API.
 */

export const VERSION: string;

/** Why an answer is no green light. */
export type Code =
  | "timeout"
  | "unreachable"
  | "rate_limited"
  | "server_error"
  | "refused"
  | "unexpected_status"
  | "malformed"
  | "other_question"
  | "conditional"
  | "banned"
  | "insufficient"
  | "unknown_verdict"
  | "contradictory"
  | "sandbox"
  | "clock_in_doubt"
  | "expired"
  | "not_fresh";

/** All codes. */
export const CODES: readonly Code[];

/** Decide by `code`; `message` is English, for developers. */
export interface WhyNot {
  readonly code: Code;
  readonly message: string;
  /**
   * The path of the first wrong field, such as `trip.origin`, if one is known: of your question if the service
   * refused it, of the answer if it is malformed.
   */
  readonly field: string | null;
}

/** What is known about the units in question. A missing value counts as unknown, and is never guessed. */
export interface Facts {
  /** How many units of this model one passenger carries; in an itinerary, how many units the item has. */
  readonly quantity?: number;
  /** Whether it has a readable CCC (3C) mark. */
  readonly ccc_mark?: "present" | "absent" | "unknown";
  /** Whether its rating is readable. */
  readonly capacity_label?: "legible" | "missing" | "unknown";
  readonly condition?: "intact" | "damaged" | "unknown";
  /** The answer of the maker's recall list, for all recalls of the model. */
  readonly recall_check?: "not_checked" | "not_affected" | "affected";
  /** The identifier that a recall asks for, as printed on the unit. */
  readonly serial?: string;
  /** Instead of `serial`: its SHA-256. */
  readonly serial_hash?: string;
}

/** The power bank in question. */
export interface Unit extends Facts {
  /** The exact catalog model. */
  readonly model_id: string;
}

export type Compartment = "carry_on" | "checked" | "on_person";

/** One flight: ISO 3166-1 alpha-2 countries and an IATA airline code. */
export interface Leg {
  readonly origin: string;
  readonly destination: string;
  readonly airline: string;
}

/** Where it travels, and the day as `YYYY-MM-DD`. */
export interface WhenAndWhere {
  readonly compartment_intent?: Compartment;
  readonly date?: string;
}

/** A question about one flight. */
export interface VerifyRequest extends Unit {
  readonly trip: Leg & WhenAndWhere;
  readonly ruleset_version?: string;
}

/** A question about a whole journey: by its legs, or by stops on one airline. */
export interface TripRequest {
  readonly device: Unit;
  readonly trip: (Leg & WhenAndWhere & { readonly transit?: readonly string[] }) | ({ readonly legs: readonly Leg[] } & WhenAndWhere);
  readonly ruleset_version?: string;
}

/** Some equal units of an itinerary: of an exact model, or of an unknown one by what is printed on it. */
export interface Item extends Facts {
  readonly model_id?: string;
  readonly label?: { readonly watt_hour?: number; readonly capacity_mah?: number; readonly voltage?: number };
  /** The name by which answers name the item; left out: `item_1`, `item_2` and so on. */
  readonly ref?: string;
  /** The number of the passenger who carries it. */
  readonly carried_by?: number;
  readonly compartment_intent?: Compartment;
}

/** A flight of an itinerary. Places are countries (`AE`) or airports (`DXB`). */
export interface ItineraryFlight {
  readonly origin: string;
  readonly destination: string;
  readonly operating_airline?: string;
  readonly marketing_airline?: string;
  readonly date?: string;
}

/** A question about an itinerary. A return is a flight too. */
export interface ItineraryRequest {
  /**
   * How many people have a seat of their own. More people than travel would get a milder answer, and a wrong one.
   */
  readonly passengers?: number;
  readonly items: readonly Item[];
  readonly segments: readonly ItineraryFlight[];
  readonly ruleset_version?: string;
}

export type AnyRequest = VerifyRequest | TripRequest | ItineraryRequest;

/** A requirement. Show `message` to the traveler. */
export interface Constraint {
  readonly code: string;
  readonly message: string;
  /** The rules that make it; none where it follows from facts alone, such as an open recall. */
  readonly rule_ids: readonly string[];
}

/** A warning. */
export interface Advice extends Constraint {
  readonly severity: string;
}

/** A piece of evidence. */
export interface Citation {
  readonly kind: string;
  readonly authority: string;
  readonly jurisdiction: string | null;
  readonly url: string;
  readonly pulled_at: string | null;
}

/** The exact model of an answer. The answer to a trip has no names. */
export interface Device {
  readonly model_id: string;
  readonly watt_hour: number | null;
  readonly brand: string | null;
  readonly model_name: string | null;
}

/** What the service suggests to do about a gap or an error. */
export interface NextStep {
  readonly code: string;
  readonly message: string;
  readonly url: string | null;
}

/**
 * One flight. `obstacle` is one word for the reason against it; null if there is none. No segment is a green light.
 * In an itinerary, places are airports if the question named them, `airline` is who flies, or else who sold it,
 * and there is no id.
 */
export interface Segment {
  readonly index: number;
  readonly origin: string;
  readonly destination: string;
  readonly airline: string;
  readonly verdict_id: string | null;
  readonly obstacle: string | null;
  readonly error: string | null;
}

/** An error of the service (RFC 9457). `errors` names the wrong fields. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly request_id: string;
  readonly errors: readonly { readonly field: string; readonly code: string; readonly message: string }[];
  readonly next_step: NextStep | null;
}

/** Some units of an item. */
export interface Share {
  readonly ref: string;
  readonly quantity: number;
}

/** An exact model of the catalog. What is null is not known. */
export interface Model {
  readonly model_id: string;
  readonly brand: string;
  readonly model_name: string;
  readonly model_number: string | null;
  readonly watt_hour: number | null;
  readonly capacity_mah: number | null;
  readonly recall_count: number;
}

/** A recall of exactly one model. It says nothing about other models of the brand. */
export interface Recall {
  readonly recall_id: string;
  readonly model_id: string;
  readonly title: string;
  readonly hazard: string;
  readonly remedy: string;
  readonly authority: string;
  readonly announced_on: string;
  readonly notice_url: string;
  /** What to read on the unit, such as its serial number. */
  readonly identifier: string;
  /** The regular expression of affected identifiers, if there is one. */
  readonly pattern: string | null;
  /** The maker's list, if only that decides. */
  readonly list_url: string | null;
  /**
   * What it says about the unit that was asked about: `affected`, `not_affected` or `unknown`; null if none was. No
   * word is a permission: ask about the flight.
   */
  readonly match_status: string | null;
}

/** A code of answers or errors, with what is said with it. */
export interface ListedCode {
  readonly code: string;
  /** Where it is: `constraint`, `warning`, `gap`, `next_step`, `error` or `field_error`. */
  readonly kind: string;
  /** The first version of the contract that has it. */
  readonly since: string;
  /** In the client's language, or else in English, with the names of values in braces. */
  readonly sentences: readonly string[];
  /** What kind of statement a constraint or a warning is. */
  readonly nature: string | null;
  /** How serious a warning is. */
  readonly severity: string | null;
  /** The HTTP status of an error. */
  readonly status: number | null;
  /** The title of an error. */
  readonly title: string | null;
  /**
   * The regular expression of how answers write a code that contains numbers, such as `max_units_2` for `max_units`;
   * null if they write the code itself.
   */
  readonly written_as: string | null;
}

/** The proof of a question and its answer, for your records. */
export interface Stored<Request extends AnyRequest = AnyRequest> {
  readonly request: Request;
  readonly answer: unknown;
  readonly receipt: string | null;
}

/**
 * What is known about a question, including the case that nothing is. `clearToPack()` is the only green light. It is
 * a function: `if (answer.clearToPack)`, without the parentheses, is an error of the type checker.
 */
export class Answer<Request extends AnyRequest = AnyRequest> {
  protected constructor();
  /**
   * Say whether this unit may be packed for this journey, at this moment. True only for the verdict `allowed`,
   * before `expires_at`, with clocks that agree. Ask every time it matters: an answer from an hour ago may have
   * expired. The traveler still has to meet `constraints`.
   */
  clearToPack(): boolean;
  /** Return the reason not to pack it at this moment; null exactly if it is clear to pack. */
  whyNot(): WhyNot | null;
  /** The question, as it was sent. */
  get question(): Request;
  /** The error of the service, if it described one. */
  get problem(): Problem | null;
  /** The HTTP status; 0 if there is none. */
  get status(): number;
  /** How long the service asks the client to wait, if it does. */
  get retryAfterSeconds(): number | null;
  /** The answer in a sentence or two for the traveler; empty if there is no verdict. */
  get summary(): string;
  /** The exact model; none for an itinerary. */
  get device(): Device | null;
  /** What the traveler has to meet or settle, on all flights together. */
  get constraints(): readonly Constraint[];
  /** What the traveler should know. */
  get warnings(): readonly Advice[];
  /** The evidence. */
  get citations(): readonly Citation[];
  /** The flights of a trip or an itinerary. */
  get segments(): readonly Segment[];
  /** What the service suggests to do about a gap or an error. */
  get nextStep(): NextStep | null;
  /** The id of this verdict, for support and audit. */
  get verdictId(): string | null;
  /** The version of the rules behind the answer. */
  get rulesetVersion(): string | null;
  /** When it was made. */
  get generatedAt(): Date | null;
  /** When it expires: from then on it counts as not allowed. */
  get expiresAt(): Date | null;
  /** The signature of the service on this answer. */
  get receipt(): string | null;
  /**
   * Return the proof of the question and its answer; null if there was no verdict. It is for your records. It
   * contains the verdict as stated, not whether it is still valid: for that, ask again. It contains the serial,
   * if one was sent.
   */
  stored(): Stored<Request> | null;
  /** An answer is not a text or a number, so that it cannot be compared with `true`. */
  [Symbol.toPrimitive](): never;
}

/** What is known about an itinerary. The answer is clear only if each passenger is. */
export class ItineraryAnswer extends Answer<ItineraryRequest> {
  private constructor();
  /** Each passenger of the question, with what they carry by this answer and a light of their own. */
  get passengers(): readonly Passenger[];
}

/** One passenger of an itinerary. The light is about `items` and nothing else. */
export class Passenger {
  private constructor();
  /** Counted from 1. */
  get number(): number;
  /** What this passenger carries; nothing if there is no verdict. */
  get items(): readonly Share[];
  /** Say whether `items` may be packed for this journey, at this moment. */
  clearToPack(): boolean;
  /** Return the reason not to pack `items` at this moment; null exactly if they are clear to pack. */
  whyNot(): WhyNot | null;
  /** A passenger is not a text or a number, so that it cannot be compared with `true`. */
  [Symbol.toPrimitive](): never;
}

/**
 * The result of a look-up, including the case that nothing is known. It is no green light: a model without recalls
 * may still be banned from a flight.
 */
export class Lookup<Found> {
  private constructor();
  /** What was found; empty if there is nothing, and null if that is not known (`whyNot`). */
  get found(): readonly Found[] | null;
  /** How many there are; `found` may be only the first of them. Null if that is not known. */
  get total(): number | null;
  /** The version of the rules and recalls behind it; null if it depends on none, as codes do. */
  get rulesetVersion(): string | null;
  /** Return why nothing is known; null exactly if something is. */
  whyNot(): WhyNot | null;
  /** The error of the service, if it described one. */
  get problem(): Problem | null;
  /** The HTTP status; 0 if there is none. */
  get status(): number;
  /** How long the service asks the client to wait, if it does. */
  get retryAfterSeconds(): number | null;
  /** A look-up is not a text or a number. */
  [Symbol.toPrimitive](): never;
}

/** How often and how long a question is asked: `seconds` for all attempts with their pauses, `secondsEach` for one. */
export interface Patience {
  readonly attempts: number;
  readonly seconds: number;
  readonly secondsEach: number;
}

/** One moment by the wall clock and by a clock that is never set, in milliseconds. */
export interface Instant {
  readonly wall: number;
  readonly monotonic: number;
}

export interface Settings {
  /** A partner key. It changes limits, never a verdict. Never put it into a web page. */
  readonly key?: string;
  /** The language of texts for people: `en`, `zh-hans`, `zh-hant`, `ja`, `ko`, `de`, `fr` or `es`. */
  readonly language?: string;
  /**
   * Accept answers of a sandbox (its address is the address of the service and `/sandbox`). Without it, no such
   * answer is ever clear to pack, at any address.
   */
  readonly sandbox?: boolean;
  /** How often and how long a question is asked. */
  readonly patience?: Partial<Patience>;
  /** Ask for the receipt of each answer. */
  readonly receipts?: boolean;
  /** Trust the connection to another machine without TLS. */
  readonly allowPlainHttp?: boolean;
  /** The function that sends requests instead of `fetch`, for tests. */
  // The types of `fetch` differ between platforms, and a program may have none of them.
  readonly fetch?: (address: string, request: any) => Promise<any>;
  /** The clock, for tests. */
  readonly clock?: () => Instant;
  /** The function that waits, for tests. */
  readonly sleep?: (seconds: number) => Promise<void>;
}

/**
 * Asks the service. It never throws for what happens outside your program: after any failure there is still an
 * answer. It is not clear to pack, and says why.
 */
export class Client {
  /**
   * @param baseUrl The address of the service, with https.
   * @throws {TypeError} If the address cannot be trusted.
   */
  constructor(baseUrl: string, settings?: Settings);
  /** Ask about one flight. */
  verify(request: VerifyRequest): Promise<Answer<VerifyRequest>>;
  /** Ask about a whole journey. Its answer is clear only if each of its flights is clear. */
  verifyTrip(request: TripRequest): Promise<Answer<TripRequest>>;
  /** Ask about several power banks, passengers and flights. Each passenger of the answer has a light of their own. */
  verifyItinerary(request: ItineraryRequest): Promise<ItineraryAnswer>;
  /** Ask about many flights. Each has an answer of its own, at the place of its question. */
  verifyBatch(requests: readonly VerifyRequest[]): Promise<Answer<VerifyRequest>[]>;
  /** Ask about many itineraries. Each has an answer of its own, at the place of its question. */
  verifyItineraryBatch(requests: readonly ItineraryRequest[]): Promise<ItineraryAnswer[]>;
  /** Find exact models by brand, name, number, mAh or Wh, the best match first. Let a person choose. */
  search(words: string, options?: { readonly limit?: number }): Promise<Lookup<Model>>;
  /** Read the codes of answers and errors with their sentences in the client's language, of all kinds or of one. */
  codes(kind?: string): Promise<Lookup<ListedCode>>;
  /**
   * Look up the recalls of a model, and with a serial or its hash what each says about that unit. Whether a unit may
   * travel, only `verify` says. No address contains the serial.
   */
  recalls(modelId: string, unit?: Pick<Facts, "serial" | "serial_hash">): Promise<Lookup<Recall>>;
}
