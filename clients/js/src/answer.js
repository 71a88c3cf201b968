/**
 * What a client hands out: an answer that may be asked for a green light, and can tell what it rests on.
 *
 * @module
 */

import { expiredOrDoubtful, understood } from "./judging.js";
import { parsed } from "./reading.js";
import { whyNot } from "./reasons.js";
import { retryAfterSeconds } from "./retrying.js";

/**
 * What is known of a question that was asked, also where nothing is known. `clearToPack()` is the only green
 * light. It is a function: `if (answer.clearToPack)`, without the parentheses, is always true and means nothing;
 * a type checker says so.
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
   * @param {boolean} sandbox
   */
  constructor(reply, question, clock, sandbox) {
    this.#reply = reply;
    this.#question = question;
    this.#clock = clock;
    this.#understood = understood(reply, question, sandbox);
    Object.freeze(this);
  }

  /**
   * Tell whether this unit may be packed for this journey, at this moment. True for the verdict `allowed` alone,
   * before `expires_at`, with clocks that agree. Ask each time that it matters: what was true an hour ago may
   * have expired. The traveler still has to meet `constraints`.
   *
   * @returns {boolean}
   */
  clearToPack() {
    return this.whyNot() === null;
  }

  /**
   * Return what stands against packing it at this moment; null exactly where it is clear to pack.
   *
   * @returns {import("./reasons.js").WhyNot | null}
   */
  whyNot() {
    const { record, refusal } = this.#understood;
    if (record === null) return refusal ?? whyNot("malformed");
    return refusal ?? expiredOrDoubtful(this.#reply, record, this.#clock());
  }

  /** What was asked, as it was sent. */
  get question() {
    return this.#question.request;
  }

  /** The error of the service, where it described one. */
  get problem() {
    return this.#understood.problem;
  }

  /** The HTTP status; 0 where none came. */
  get status() {
    return this.#reply.status;
  }

  /** For how long the service asks to be left alone, where it does. */
  get retryAfterSeconds() {
    return retryAfterSeconds(this.#reply);
  }

  /** The answer in a sentence or two for the traveler; empty where there is no verdict. */
  get summary() {
    return this.#understood.record?.summary ?? "";
  }

  /** The exact model. */
  get device() {
    return this.#understood.record?.device ?? null;
  }

  /** What the traveler has to meet, or to settle. Each flight of a trip has an answer with its own. */
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

  /** The flights of a trip. */
  get segments() {
    return this.#understood.record?.segments ?? [];
  }

  /** What the service suggests to do about a gap or an error. */
  get nextStep() {
    return (this.#understood.record ?? this.#understood.problem)?.next_step ?? null;
  }

  /** The name of this verdict, for support and audit. */
  get verdictId() {
    return this.#understood.record?.verdict_id ?? null;
  }

  /** The rules that the answer was made from. */
  get rulesetVersion() {
    return this.#understood.record?.ruleset_version ?? null;
  }

  /** When it was made. @returns {Date | null} */
  get generatedAt() {
    const { record } = this.#understood;
    return record && new Date(record.generated_at);
  }

  /** From when on it counts as not allowed. @returns {Date | null} */
  get expiresAt() {
    const { record } = this.#understood;
    return record && new Date(record.expires_at);
  }

  /** The signature of the service on this answer. */
  get receipt() {
    return this.#reply.headers.get("x-service-receipt");
  }

  /**
   * Return what proves later what was asked and answered; null where there was no verdict. It is for your
   * records. It holds the verdict as it was stated, not whether it counts: for that, ask again. A serial that
   * was sent is in it.
   */
  stored() {
    if (this.#understood.record === null) return null;
    return { request: this.question, answer: parsed(this.#reply.content), receipt: this.receipt };
  }

  /** An answer is no text and no number, so that none can be compared with `true`. */
  [Symbol.toPrimitive]() {
    throw new TypeError("An answer is neither true nor false. Ask answer.clearToPack().");
  }
}
