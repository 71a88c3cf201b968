/**
 * When a passenger of an itinerary may pack: `judging` asks this about each bag. The answer has to name every item,
 * passenger and flight of the question and no others (`answersItinerary`), must not contradict itself (`agrees`),
 * and nothing in it may be against the bag (`isSound`).
 *
 * @module
 */

import { isAbout, isSettled } from "./devices.js";

/**
 * @typedef {import("./reading.js").Record_ & {packing: import("./reading.js").Packing}} Itinerary
 * @typedef {import("./reading.js").Bag} Bag
 */

/** The verdicts, the mildest first. */
const STRICTNESS = ["allowed", "conditional", "insufficient", "banned"];

/** The constraint that limits how many units one passenger carries. */
export const MAX_UNITS = /^max_units_(?:over_100wh_)?(\d{1,9})$/;

/**
 * Return the number of each passenger of a question. There is at least one, whatever was asked.
 *
 * @param {any} request
 * @returns {number[]}
 */
export function passengersOf(request) {
  const { passengers } = request;
  const most = Number.isInteger(passengers) && passengers > 0 ? passengers : 1;
  return Array.from({ length: most }, (_, at) => at + 1);
}

/**
 * Return whether an answer is about exactly the items, passengers and flights of a question.
 *
 * @param {Itinerary} record
 * @param {any} request
 * @returns {boolean}
 */
export function answersItinerary(record, request) {
  const { items, segments } = record.body;
  const asked = itemsOf(request);
  return (
    items.length > 0 &&
    items.length === asked.size &&
    asked.size === request.items.length &&
    [...asked].every(([ref, item], at) => isItem(items[at], ref, item)) &&
    segments.length > 0 &&
    segments.length === request.segments.length &&
    segments.every(
      (/** @type {any} */ one, /** @type {number} */ at) =>
        isFlight(one, at + 1, request.segments[at]) &&
        (one.error || isSame(one.items.map((/** @type {any} */ item) => item.ref), [...asked.keys()])),
    ) &&
    arePacked(record.packing, passengersOf(request), asked)
  );
}

/**
 * Return whether the verdict is the strictest of its items, of its flights and of its passengers. A part of
 * `packing` that this client does not know may be about units that must not be packed.
 *
 * @param {Itinerary} record
 * @returns {boolean}
 */
export function agrees({ body, verdict, packing }) {
  const groups = [body.items, body.segments, packing.bags];
  return (
    !packing.others &&
    groups.every((group) => strictest(group) === verdict) &&
    body.segments.every((/** @type {any} */ one) => one.error || strictest(one.items) === one.verdict) &&
    (STRICTNESS.indexOf(verdict) > 1 || packing.stays.length + packing.notCleared.size === 0)
  );
}

/**
 * Return whether nothing in an answer is against what a passenger carries, who is `allowed` to.
 *
 * @param {Itinerary} record
 * @param {any} request
 * @param {number} passenger
 * @returns {boolean}
 */
export function isSound({ body, segments, packing }, request, passenger) {
  const asked = itemsOf(request);
  const shares = packing.bags.filter((bag) => bag.passenger === passenger).flatMap((bag) => bag.shares);
  const cleared = packing.bags.filter((bag) => bag.verdict === "allowed").flatMap((bag) => bag.shares);
  return (
    segments.every((one) => one.error === null) &&
    shares.every(({ ref }) => {
      const one = body.items.find((/** @type {any} */ item) => item.ref === ref);
      const free = one.quantity - held(cleared, ref);
      return (
        !packing.notCleared.has(ref) &&
        held(packing.stays, ref) <= free &&
        one.device_resolved !== undefined &&
        isSettled(one.device_resolved) &&
        // If others carry some of it, what a flight says against it may concern theirs.
        (free > 0 || isNeverRefused(one, body.segments))
      );
    }) &&
    body.segments.every((/** @type {any} */ flight) =>
      flight.constraints.every((/** @type {any} */ constraint) => meets(shares, constraint, asked)),
    )
  );
}

/**
 * Return the strictest verdict; an unknown word is stricter than all.
 *
 * @param {readonly {verdict: string}[]} judged
 * @returns {string}
 */
function strictest(judged) {
  const rank = (/** @type {string} */ word) => (STRICTNESS.includes(word) ? STRICTNESS.indexOf(word) : 9);
  return judged.reduce((most, { verdict }) => (rank(verdict) > rank(most) ? verdict : most), "allowed");
}

/** @param {any} request @returns {Map<string, any>} */
function itemsOf(request) {
  return new Map(
    request.items.map((/** @type {any} */ item, /** @type {number} */ at) => [item.ref ?? `item_${at + 1}`, item]),
  );
}

/** @param {any} one @param {string} ref @param {any} item */
function isItem(one, ref, item) {
  if (one.ref !== ref || one.quantity !== (item.quantity ?? 1)) return false;
  const { device_resolved: device, label } = one;
  if (item.label === undefined) {
    return (
      label === undefined &&
      device !== undefined &&
      device.model_id === item.model_id &&
      isAbout(device, item.serial)
    );
  }
  return (
    device === undefined &&
    label !== undefined &&
    isSame(Object.keys(label).sort(), Object.keys(item.label).sort()) &&
    // The service rounds up to a hundredth.
    Object.keys(label).every((name) => Math.abs(label[name] - item.label[name]) <= 0.01)
  );
}

/** @param {any} one @param {number} index @param {any} flight */
function isFlight(one, index, flight) {
  return (
    one.index === index &&
    (one.origin_airport ?? one.origin) === flight.origin &&
    (one.destination_airport ?? one.destination) === flight.destination &&
    (one.operating_airline ?? undefined) === flight.operating_airline &&
    (one.marketing_airline ?? undefined) === flight.marketing_airline &&
    (flight.date === undefined ? one.date_assumed === true : one.date === flight.date)
  );
}

/**
 * Return whether every unit is in one bag, that of the passenger who was named.
 *
 * @param {import("./reading.js").Packing} packing
 * @param {number[]} numbers
 * @param {Map<string, any>} asked
 */
function arePacked({ bags, stays, notCleared }, numbers, asked) {
  const all = bags.flatMap((bag) => bag.shares);
  return (
    new Set(bags.map((bag) => bag.passenger)).size === bags.length &&
    bags.every(
      ({ passenger, shares }) =>
        numbers.includes(passenger) &&
        shares.every(({ ref }) => asked.has(ref) && [undefined, passenger].includes(asked.get(ref).carried_by)),
    ) &&
    [...asked].every(([ref, item]) => held(all, ref) === (item.quantity ?? 1)) &&
    [...notCleared, ...stays.map((share) => share.ref)].every((ref) => asked.has(ref))
  );
}

/** @param {readonly import("./index.js").Share[]} shares @param {string} ref @returns {number} */
function held(shares, ref) {
  return shares.reduce((sum, share) => (share.ref === ref ? sum + share.quantity : sum), 0);
}

/** @param {any} one @param {any[]} flights @returns {boolean} */
function isNeverRefused(one, flights) {
  const flown = flights.flatMap((flight) => flight.items).filter((item) => item.ref === one.ref);
  return (
    one.verdict === "allowed" &&
    flown.every((item) => item.verdict === "allowed" && item.decided_by.length === 0)
  );
}

/**
 * Return whether a bag meets a constraint, as far as the question tells.
 *
 * @param {readonly import("./index.js").Share[]} shares
 * @param {any} constraint
 * @param {Map<string, any>} asked
 */
function meets(shares, { code, refs }, asked) {
  const concerned = shares.filter(({ ref }) => refs.includes(ref));
  if (code === "carry_on_only") {
    return concerned.every(({ ref }) => asked.get(ref).compartment_intent !== "checked");
  }
  const atMost = MAX_UNITS.exec(code);
  return atMost === null || concerned.reduce((sum, share) => sum + share.quantity, 0) <= Number(atMost[1]);
}

/** @param {string[]} some @param {string[]} others */
function isSame(some, others) {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
