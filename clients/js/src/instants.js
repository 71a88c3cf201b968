/**
 * The clocks of this machine, read together, in milliseconds. `expires_at` is compared with the wall clock, but
 * anyone can set that clock. No one can set the other one, so it always shows how much time has passed.
 *
 * @module
 */

/** @typedef {import("./index.js").Instant} Instant */
/** @typedef {() => Instant} Clock */

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?Z$/;

/** Return the present moment. @type {Clock} */
export function systemClock() {
  return { wall: Date.now(), monotonic: performance.now() };
}

/**
 * Return the time of an HTTP date (RFC 9110); NaN for anything else.
 *
 * @param {string | null | undefined} text
 * @returns {number}
 */
export function httpDate(text) {
  if (!HTTP_DATE.test(text ?? "")) return NaN;
  const instant = Date.parse(/** @type {string} */ (text));
  // `Date.parse` reads 31 February as a day in March.
  return new Date(instant).toUTCString().slice(5) === /** @type {string} */ (text).slice(5) ? instant : NaN;
}

/**
 * Return the time of a date-time in UTC, without its fraction of a second; NaN for anything else.
 *
 * @param {string} text
 * @returns {number}
 */
export function dateTime(text) {
  const found = DATE_TIME.exec(text);
  if (!found) return NaN;
  const instant = Date.parse(`${found[1]}Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(found[1]) ? instant : NaN;
}
