/**
 * What a client returns: an answer to ask for a green light, with the facts behind it.
 *
 * @module
 */

import { expiredOrDoubtful } from "./judging.js";
import { passengersOf } from "./itineraries.js";
import { parsed } from "./reading.js";
import { whyNot } from "./reasons.js";
import { retryAfterSeconds } from "./retrying.js";

/**
 * What is known about a question, including the case that nothing is. `clearToPack()` is the only green light.
 * It is a function: `if (answer.clearToPack)`, without the parentheses, is always true and means nothing. A
 * type checker reports this.
 *
 * @template {import("./index.js").AnyRequest} [Request=import("./index.js").AnyRequest]
 */
export class Answer {
  #reply;
  #question;
  #clock;
  #understood;

  /**
   * @param {import("./judging.js").Reply} reply
   * @param {import("./judging.js").Question} question
   * @param {import("./instants.js").Clock} clock
   * @param {import("./judging.js").Understood} understood
   */
  constructor(reply, question, clock, understood) {
    this.#reply = reply;
    this.#question = question;
    this.#clock = clock;
    this.#understood = understood;
    if (new.target === Answer) Object.freeze(this);
  }

  /**
   * Say whether this unit may be packed for this journey, at this moment. True only for the verdict `allowed`,
   * before `expires_at`, with clocks that agree. Ask every time it matters: an answer from an hour ago may have
   * expired. The traveler still has to meet `constraints`.
   *
   * @returns {boolean}
   */
  clearToPack() {
    return this.whyNot() === null;
  }

  /**
   * Return the reason not to pack it at this moment; null exactly if it is clear to pack.
   *
   * @returns {import("./index.js").WhyNot | null}
   */
  whyNot() {
    return reasonAgainst(this.#reply, this.#understood, this.#understood.refusal, this.#clock());
  }

  /** The question, as it was sent. @returns {Request} */
  get question() {
    return this.#question.request;
  }

  /** The error of the service, if it described one. */
  get problem() {
    return this.#understood.problem;
  }

  /** The HTTP status; 0 if there is none. */
  get status() {
    return this.#reply.status;
  }

  /** How long the service asks the client to wait, if it does. */
  get retryAfterSeconds() {
    return retryAfterSeconds(this.#reply);
  }

  /** The answer in a sentence or two for the traveler; empty if there is no verdict. */
  get summary() {
    return this.#understood.record?.summary ?? "";
  }

  /** The exact model; none for an itinerary. */
  get device() {
    return this.#understood.record?.device ?? null;
  }

  /** What the traveler has to meet or settle, on all flights together. */
  get constraints() {
    return this.#understood.record?.constraints ?? [];
  }

  /** What the traveler should know. */
  get warnings() {
    return this.#understood.record?.warnings ?? [];
  }

  /** The evidence. */
  get citations() {
    return this.#understood.record?.citations ?? [];
  }

  /** The flights of a trip or an itinerary. */
  get segments() {
    return this.#understood.record?.segments ?? [];
  }

  /** What the service suggests to do about a gap or an error. */
  get nextStep() {
    return (this.#understood.record ?? this.#understood.problem)?.next_step ?? null;
  }

  /** The id of this verdict, for support and audit. */
  get verdictId() {
    return this.#understood.record?.verdict_id ?? null;
  }

  /** The version of the rules behind the answer. */
  get rulesetVersion() {
    return this.#understood.record?.ruleset_version ?? null;
  }

  /** When it was made. @returns {Date | null} */
  get generatedAt() {
    const { record } = this.#understood;
    return record && new Date(record.generated_at);
  }

  /** When it expires: from then on it counts as not allowed. @returns {Date | null} */
  get expiresAt() {
    const { record } = this.#understood;
    return record && new Date(record.expires_at);
  }

  /** The signature of the service on this answer, if the client asks for receipts. */
  get receipt() {
    return this.#reply.headers.get("x-service-receipt");
  }

  /**
   * Return the proof of the question and its answer; null if there was no verdict. It is for your records. It
   * contains the verdict as stated, not whether it is still valid: for that, ask again. It contains the serial,
   * if one was sent.
   */
  stored() {
    if (this.#understood.record === null) return null;
    return { request: this.question, answer: parsed(this.#reply.content), receipt: this.receipt };
  }

  /** An answer is not a text or a number, so that it cannot be compared with `true`. @returns {never} */
  [Symbol.toPrimitive]() {
    throw new TypeError("An answer is neither true nor false. Call answer.clearToPack().");
  }
}

/**
 * What is known about an itinerary. The answer is clear only if each passenger is.
 *
 * @extends {Answer<import("./index.js").ItineraryRequest>}
 */
export class ItineraryAnswer extends Answer {
  #passengers;

  /** @param {ConstructorParameters<typeof Answer>} about */
  constructor(...about) {
    super(...about);
    const [reply, question, clock, understood] = about;
    this.#passengers = Object.freeze(
      passengersOf(question.request).map((number) => new Passenger(number, reply, understood, clock)),
    );
    Object.freeze(this);
  }

  /** Each passenger of the question, with what they carry by this answer and a light of their own. */
  get passengers() {
    return this.#passengers;
  }
}

/** One passenger of an itinerary. The light is about `items` and nothing else. */
export class Passenger {
  #number;
  #reply;
  #understood;
  #clock;

  /**
   * @param {number} number
   * @param {import("./judging.js").Reply} reply
   * @param {import("./judging.js").Understood} understood
   * @param {import("./instants.js").Clock} clock
   */
  constructor(number, reply, understood, clock) {
    this.#number = number;
    this.#reply = reply;
    this.#understood = understood;
    this.#clock = clock;
    Object.freeze(this);
  }

  /** Counted from 1. */
  get number() {
    return this.#number;
  }

  /** What this passenger carries; nothing if there is no verdict. */
  get items() {
    const bags = this.#understood.record?.packing?.bags ?? [];
    return bags.find((bag) => bag.passenger === this.#number)?.shares ?? [];
  }

  /** Say whether `items` may be packed for this journey, at this moment. @returns {boolean} */
  clearToPack() {
    return this.whyNot() === null;
  }

  /**
   * Return the reason not to pack `items` at this moment; null exactly if they are clear to pack.
   *
   * @returns {import("./index.js").WhyNot | null}
   */
  whyNot() {
    const refusal = this.#understood.passengers.get(this.#number);
    return reasonAgainst(
      this.#reply,
      this.#understood,
      refusal === undefined ? whyNot("malformed") : refusal,
      this.#clock(),
    );
  }

  /** A passenger is not a text or a number, so that it cannot be compared with `true`. @returns {never} */
  [Symbol.toPrimitive]() {
    throw new TypeError("A passenger is neither true nor false. Call passenger.clearToPack().");
  }
}

/**
 * Return a reason that applies at any time, or else one of this moment; null if there is none.
 *
 * @param {import("./judging.js").Reply} reply
 * @param {import("./judging.js").Understood} understood
 * @param {import("./index.js").WhyNot | null} refusal
 * @param {import("./instants.js").Instant} now
 */
function reasonAgainst(reply, understood, refusal, now) {
  const { record } = understood;
  if (record === null) return understood.refusal ?? whyNot("malformed");
  return refusal ?? expiredOrDoubtful(reply, record, now);
}
