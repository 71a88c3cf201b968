/**
 * From the reply to a batch to one reply for each of its questions. A batch is read as strictly as an answer. If it
 * is not a batch of exactly these questions, none of them has an answer.
 *
 * @module
 */

import { bodyOf } from "./judging.js";
import { statusesIn } from "./reading.js";

/** How many flights are asked about at once: less than the requests in a minute that need no key. */
export const FLIGHTS = 50;

/** How many itineraries are asked about at once. Their answers are long. */
export const ITINERARIES = 10;

/**
 * Return the questions in parts of so many.
 *
 * @template T
 * @param {readonly T[]} questions
 * @param {number} size
 * @returns {T[][]}
 */
export function parts(questions, size) {
  return Array.from({ length: Math.ceil(questions.length / size) }, (_, at) =>
    questions.slice(at * size, (at + 1) * size),
  );
}

/**
 * Return the reply to each of some questions that were asked as one batch.
 *
 * @param {import("./judging.js").Reply} reply
 * @param {number} count
 * @returns {import("./judging.js").Reply[]}
 */
export function repliesIn(reply, count) {
  if (reply.failure !== null || reply.status !== 200) return Array(count).fill(reply);
  try {
    const body = bodyOf(reply);
    return statusesIn(body, count).map((status, at) => {
      const { answer, problem } = body.items[at];
      return holding({ ...reply, status }, (status === 200 ? answer : problem) ?? null);
    });
  } catch {
    return Array(count).fill(holding(reply, null));
  }
}

/**
 * Return a reply with another body. The receipt is for the whole batch.
 *
 * @param {import("./judging.js").Reply} reply
 * @param {any} body
 * @returns {import("./judging.js").Reply}
 */
function holding(reply, body) {
  return {
    ...reply,
    headers: { get: (name) => (name === "x-service-receipt" ? null : reply.headers.get(name)) },
    content: new TextEncoder().encode(JSON.stringify(body)),
  };
}
