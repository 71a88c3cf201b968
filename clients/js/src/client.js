/**
 * The client. It never throws for what happens outside your program. After any failure there is still an
 * answer. It is not clear to pack, and says why.
 *
 * @module
 */

import { Answer, ItineraryAnswer } from "./answer.js";
import { systemClock } from "./instants.js";
import { understood } from "./judging.js";
import { PATIENCE, pauseAfter } from "./retrying.js";

export const VERSION = "1.0.0";

/** More bytes than any answer has. A longer body is not read to its end, and is not an answer. */
const MAX_CONTENT_BYTES = 4 * 1024 * 1024;

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

const NO_HEADERS = { get: () => null };

/**
 * The power bank in question. A missing value counts as unknown, and is never guessed.
 *
 * @typedef {object} Unit
 * @property {string} model_id The exact catalog model.
 * @property {number} [quantity] How many units of this model one passenger carries; in an itinerary, how many
 *   units the item has.
 * @property {"present" | "absent" | "unknown"} [ccc_mark] Whether it has a readable CCC (3C) mark.
 * @property {"legible" | "missing" | "unknown"} [capacity_label] Whether its rating is readable.
 * @property {"intact" | "damaged" | "unknown"} [condition]
 * @property {"not_checked" | "not_affected" | "affected"} [recall_check] The answer of the maker's recall list,
 *   for all recalls of the model.
 * @property {string} [serial] The identifier that a recall asks for, as printed on the unit.
 * @property {string} [serial_hash] Instead of `serial`: its SHA-256.
 */

/**
 * One flight: ISO 3166-1 alpha-2 countries, an IATA airline code, the day as `YYYY-MM-DD`.
 *
 * @typedef {{origin: string, destination: string, airline: string}} Leg
 * @typedef {"carry_on" | "checked" | "on_person"} Compartment
 * @typedef {Leg & {compartment_intent?: Compartment, date?: string}} Flight
 * @typedef {Flight & {transit?: string[]} | {legs: Leg[], compartment_intent?: Compartment, date?: string}} Journey
 * @typedef {Unit & {trip: Flight, ruleset_version?: string}} VerifyRequest
 * @typedef {{device: Unit, trip: Journey, ruleset_version?: string}} TripRequest
 */

/**
 * An itinerary. An item is of an exact model, or of an unknown one by what is printed on it (`label`). Answers
 * name it by its `ref`; left out: `item_1`, `item_2` and so on. Places of flights are countries (`AE`) or airports
 * (`DXB`). A return is a flight too. `passengers` is how many people have a seat of their own: more people than
 * travel would get a milder answer, and a wrong one.
 *
 * @typedef {Omit<Unit, "model_id"> & {model_id?: string, label?: {watt_hour?: number, capacity_mah?: number,
 *   voltage?: number}, ref?: string, carried_by?: number, compartment_intent?: Compartment}} Item
 * @typedef {{origin: string, destination: string, operating_airline?: string, marketing_airline?: string,
 *   date?: string}} ItineraryFlight
 * @typedef {{passengers?: number, items: Item[], segments: ItineraryFlight[],
 *   ruleset_version?: string}} ItineraryRequest
 */

/**
 * @typedef {object} Settings
 * @property {string} [key] A partner key. It changes limits, never a verdict. Never put it into a web page.
 * @property {string} [language] The language of texts for people: `en`, `zh-hans`, `zh-hant`, `ja`, `ko`,
 *   `de`, `fr` or `es`.
 * @property {boolean} [sandbox] Accept answers of a sandbox (its address is the address of the service and
 *   `/sandbox`). Without it, no such answer is ever clear to pack, at any address.
 * @property {Partial<import("./retrying.js").Patience>} [patience] How often and how long a question is asked.
 * @property {boolean} [allowPlainHttp] Trust the connection to another machine without TLS.
 * @property {typeof globalThis.fetch} [fetch] The function that sends requests, for tests.
 * @property {import("./instants.js").Clock} [clock] The clock, for tests.
 * @property {(seconds: number) => Promise<void>} [sleep] The function that waits, for tests.
 */

/** Asks the service. */
export class Client {
  #root;
  #headers;
  #language;
  #sandbox;
  #patience;
  #fetch;
  #clock;
  #sleep;

  /**
   * @param {string} baseUrl The address of the service, with https.
   * @param {Settings} [settings]
   * @throws {TypeError} If the address cannot be trusted.
   */
  constructor(baseUrl, settings = {}) {
    const address = new URL(baseUrl);
    if (!["http:", "https:"].includes(address.protocol) || address.search || address.hash) {
      throw new TypeError("baseUrl is the address of the service, such as https://example.org");
    }
    if (address.username || address.password) {
      throw new TypeError("baseUrl must not contain a user name or password: a partner key goes into `key`");
    }
    if (address.protocol === "http:" && settings.allowPlainHttp !== true && !LOOPBACK.has(address.hostname)) {
      // An attacker between client and service could answer instead, and read the key.
      throw new TypeError("baseUrl must begin with https:// unless it is on this machine");
    }
    this.#sandbox = settings.sandbox === true;
    this.#root = baseUrl.replace(/\/+$/, "");
    this.#language = settings.language ?? "en";
    this.#patience = { ...PATIENCE, ...settings.patience };
    this.#fetch = settings.fetch ?? globalThis.fetch.bind(globalThis);
    this.#clock = settings.clock ?? systemClock;
    this.#sleep = settings.sleep ?? sleep;
    this.#headers = {
      accept: "application/json",
      "content-type": "application/json",
      ...(settings.key === undefined ? {} : { "x-service-key": settings.key }),
    };
  }

  /**
   * Ask about one flight.
   *
   * @param {VerifyRequest} request
   * @returns {Promise<Answer>}
   */
  verify(request) {
    return this.#ask("verify", "/api/verify", request, Answer);
  }

  /**
   * Ask about a whole journey. Its answer is clear only if each of its flights is clear.
   *
   * @param {TripRequest} request
   * @returns {Promise<Answer>}
   */
  verifyTrip(request) {
    return this.#ask("verify_trip", "/api/trips/verify", request, Answer);
  }

  /**
   * Ask about several power banks, passengers and flights. Each passenger of the answer has a light of their own.
   *
   * @param {ItineraryRequest} request
   * @returns {Promise<ItineraryAnswer>}
   */
  verifyItinerary(request) {
    return this.#ask("verify_itinerary", "/api/itineraries/verify", request, ItineraryAnswer);
  }

  /**
   * @template {Answer} A
   * @param {import("./judging.js").Question["operation"]} operation
   * @param {string} path
   * @param {VerifyRequest | TripRequest | ItineraryRequest} request
   * @param {new (...about: ConstructorParameters<typeof Answer>) => A} Kind
   */
  async #ask(operation, path, request, Kind) {
    const body = JSON.stringify({ options: { language: this.#language }, ...request });
    // As it was sent: a later change of the caller's object must not change the question.
    const question = deepFrozen({ operation, request: JSON.parse(body) });
    const began = this.#clock();
    for (let attempt = 1; ; attempt += 1) {
      const left = this.#patience.seconds - this.#since(began);
      const reply = await this.#try(path, body, Math.min(this.#patience.secondsEach, left));
      const pause = pauseAfter(reply, attempt, this.#since(began), this.#patience, Math.random());
      if (pause === null) {
        return new Kind(reply, question, this.#clock, understood(reply, question, this.#sandbox));
      }
      await this.#sleep(pause);
    }
  }

  /** @param {import("./instants.js").Instant} began */
  #since(began) {
    return (this.#clock().monotonic - began.monotonic) / 1000;
  }

  /**
   * @param {string} path
   * @param {string} body
   * @param {number} seconds
   * @returns {Promise<import("./judging.js").Reply>}
   */
  async #try(path, body, seconds) {
    const sent = this.#clock();
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), seconds * 1000);
    try {
      const response = await this.#fetch(this.#root + path, {
        method: "POST",
        headers: this.#headers,
        body,
        cache: "no-store",
        credentials: "omit",
        redirect: "manual",
        signal: patience.signal,
      });
      const content = await read(response);
      return {
        sent,
        received: this.#clock(),
        status: response.status,
        headers: response.headers,
        content,
        failure: null,
      };
    } catch {
      return {
        sent,
        received: this.#clock(),
        status: 0,
        headers: NO_HEADERS,
        content: new Uint8Array(),
        failure: patience.signal.aborted ? "timeout" : "unreachable",
      };
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Return the body of a response; empty if it is longer than any answer.
 *
 * @param {Response} response
 * @returns {Promise<Uint8Array>}
 */
async function read(response) {
  const chunks = [];
  let length = 0;
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
    if (length > MAX_CONTENT_BYTES) {
      await reader.cancel();
      return new Uint8Array();
    }
  }
  const content = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    content.set(chunk, at);
    at += chunk.length;
  }
  return content;
}

/** @param {number} seconds @returns {Promise<void>} */
function sleep(seconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000);
  });
}

/**
 * @template T
 * @param {T} value
 * @returns {T}
 */
function deepFrozen(value) {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(deepFrozen);
    Object.freeze(value);
  }
  return value;
}
