/**
 * When to ask again, and when to give up. A question changes nothing at the service, so asking twice is
 * harmless. The client always respects the service's own `Retry-After`. If that is longer than the patience,
 * the failure is the answer.
 *
 * @module
 */

import { httpDate } from "./instants.js";

const WORTH_ANOTHER_TRY = new Set([429, 500, 502, 503, 504]);
const FIRST_PAUSE_SECONDS = 0.5;

/** @typedef {import("./index.js").Patience} Patience */

/** @type {Patience} */
export const PATIENCE = Object.freeze({ attempts: 3, seconds: 30, secondsEach: 10 });

/**
 * Return the seconds to wait before asking again; null if this reply is the last.
 *
 * @param {import("./judging.js").Reply} reply
 * @param {number} attempt How many attempts there were.
 * @param {number} spent The seconds since the first began.
 * @param {Patience} patience
 * @param {number} jitter A random number from 0 to 1, so that clients that failed together do not return together.
 * @returns {number | null}
 */
export function pauseAfter(reply, attempt, spent, patience, jitter) {
  const worthIt = reply.failure !== null || WORTH_ANOTHER_TRY.has(reply.status);
  if (attempt >= patience.attempts || !worthIt) return null;
  const own = FIRST_PAUSE_SECONDS * 2 ** (attempt - 1);
  const pause = (retryAfterSeconds(reply) ?? own) + own * jitter;
  return spent + pause < patience.seconds ? pause : null;
}

/**
 * Return how long the service asks to wait; null if it does not say so.
 *
 * @param {import("./judging.js").Reply} reply
 * @returns {number | null}
 */
export function retryAfterSeconds(reply) {
  const text = (reply.headers.get("retry-after") ?? "").trim();
  if (/^\d+$/.test(text)) return Number(text);
  const then = httpDate(text);
  if (Number.isNaN(then)) return null;
  const date = httpDate(reply.headers.get("date"));
  return Math.max(0, (then - (Number.isNaN(date) ? reply.received.wall : date)) / 1000);
}
