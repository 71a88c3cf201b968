/**
 * What a look-up found: models by words, the recalls of a model, and the codes of answers.
 *
 * @module
 */

import { Malformed } from "./reading.js";
import { bodyOf, failed, isMadeUp } from "./judging.js";
import { whyNot } from "./reasons.js";
import { retryAfterSeconds } from "./retrying.js";

/**
 * The result of a look-up, including the case that nothing is known. It is no green light: a model without recalls
 * may still be banned from a flight.
 *
 * @template Found
 */
export class Lookup {
  #reply;
  #result;
  #refusal;
  #problem;

  /**
   * @param {import("./judging.js").Reply} reply
   * @param {import("./reading.js").Result<Found> | null} result
   * @param {import("./index.js").WhyNot | null} refusal
   * @param {import("./index.js").Problem | null} problem
   */
  constructor(reply, result, refusal, problem) {
    this.#reply = reply;
    this.#result = result;
    this.#refusal = refusal;
    this.#problem = problem;
    Object.freeze(this);
  }

  /** What was found; empty if there is nothing, and null if that is not known (`whyNot`). */
  get found() {
    return this.#result?.found ?? null;
  }

  /** How many there are; `found` may be only the first of them. Null if that is not known. */
  get total() {
    return this.#result?.total ?? null;
  }

  /** The version of the rules and recalls behind it; null if it depends on none, as codes do. */
  get rulesetVersion() {
    return this.#result?.ruleset_version ?? null;
  }

  /** Return why nothing is known; null exactly if something is. */
  whyNot() {
    return this.#refusal;
  }

  /** The error of the service, if it described one. */
  get problem() {
    return this.#problem;
  }

  /** The HTTP status; 0 if there is none. */
  get status() {
    return this.#reply.status;
  }

  /** How long the service asks the client to wait, if it does. */
  get retryAfterSeconds() {
    return retryAfterSeconds(this.#reply);
  }

  /** A look-up is not a text or a number. @returns {never} */
  [Symbol.toPrimitive]() {
    throw new TypeError("A look-up is neither true nor false. Compare lookup.found with null.");
  }
}

/**
 * Return what a reply says of a look-up.
 *
 * @template Found
 * @param {import("./judging.js").Reply} reply
 * @param {boolean} sandbox
 * @param {(body: any) => import("./reading.js").Result<Found>} read
 * @returns {Lookup<Found>}
 */
export function lookedUp(reply, sandbox, read) {
  if (reply.failure !== null) return new Lookup(reply, null, whyNot(reply.failure), null);
  if (reply.status !== 200) {
    const { refusal, problem } = failed(reply);
    return new Lookup(reply, null, refusal, problem);
  }
  try {
    const result = read(bodyOf(reply));
    return isMadeUp(reply, result.ruleset_version ?? "") && !sandbox
      ? new Lookup(reply, null, whyNot("sandbox"), null)
      : new Lookup(reply, result, null, null);
  } catch (error) {
    const refusal = error instanceof Malformed ? whyNot("malformed", error.message, error.field) : whyNot("malformed");
    return new Lookup(reply, null, refusal, null);
  }
}
