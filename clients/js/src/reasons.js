/**
 * Why an answer is no green light: words for programs, and sentences for people who read a log. The same words
 * are in the Python client and in `clients/vectors.json`.
 *
 * @module
 */

/** @type {Readonly<Record<Code, string>>} */
const MESSAGES = Object.freeze({
  timeout: "The service did not answer in time.",
  unreachable: "The service could not be reached, or its answer was cut off.",
  rate_limited: "Too many requests. Ask again after `retryAfterSeconds`.",
  server_error: "The service could not answer. Ask again later.",
  refused: "The service refused the question. `problem` says why.",
  unexpected_status: "The answer is not from the service: the service never sends this status.",
  malformed: "The response is not an answer of the service.",
  other_question: "The answer does not belong to the question that was asked.",
  conditional: "It may travel only after every constraint is settled.",
  banned: "It may not travel.",
  insufficient: "Not enough is known to let it travel.",
  unknown_verdict: "The answer contains a verdict that this client does not know.",
  contradictory: "The answer says allowed, but also something that contradicts it.",
  sandbox: "The answer comes from the sandbox. It says nothing about a real flight.",
  clock_in_doubt: "This machine and the service disagree about the time, so it is not known what has expired.",
  expired: "The answer has expired. Ask again.",
  not_fresh: "The answer was not made for this request. A cache between client and service sent an old one.",
});

/** @typedef {import("./index.js").Code} Code */

/** All codes. @type {readonly Code[]} */
export const CODES = Object.freeze(/** @type {Code[]} */ (Object.keys(MESSAGES)));

/**
 * Return a reason by its code, with further details.
 *
 * @param {Code} code
 * @param {string} [more]
 * @param {string | null} [field]
 * @returns {import("./index.js").WhyNot}
 */
export function whyNot(code, more = "", field = null) {
  return Object.freeze({ code, message: `${MESSAGES[code]} ${more}`.trim(), field });
}
