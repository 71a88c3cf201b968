/**
 * The client. It never throws for what happens outside your program. After any failure there is still an
 * answer. It is not clear to pack, and says why.
 *
 * @module
 */

import { Answer, ItineraryAnswer } from "./answer.js";
import { FLIGHTS, ITINERARIES, parts, repliesIn } from "./batches.js";
import { systemClock } from "./instants.js";
import { understood } from "./judging.js";
import { lookedUp } from "./lookup.js";
import { codesFound, modelsFound, recallsChecked, recallsFound } from "./reading.js";
import { PATIENCE, pauseAfter } from "./retrying.js";

export const VERSION = "1.1.0";

/** The most recalls that the service lists at once. A longer list is not whole, so it is not a result. */
const MOST_RECALLS = 200;

/** More bytes than any answer has. A longer body is not read to its end, and is not an answer. */
const MAX_CONTENT_BYTES = 4 * 1024 * 1024;

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

const NO_HEADERS = { get: () => null };

/**
 * @typedef {import("./index.js").VerifyRequest} VerifyRequest
 * @typedef {import("./index.js").TripRequest} TripRequest
 * @typedef {import("./index.js").ItineraryRequest} ItineraryRequest
 * @typedef {import("./judging.js").Reply} Reply
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
   * @param {import("./index.js").Settings} [settings]
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
      ...(settings.receipts === true ? { prefer: "receipt" } : {}),
    };
  }

  /**
   * Ask about one flight.
   *
   * @param {VerifyRequest} request
   * @returns {Promise<Answer<VerifyRequest>>}
   */
  verify(request) {
    return this.#ask("verify", "/api/verify", request, Answer);
  }

  /**
   * Ask about a whole journey. Its answer is clear only if each of its flights is clear.
   *
   * @param {TripRequest} request
   * @returns {Promise<Answer<TripRequest>>}
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
   * Ask about many flights. Each has an answer of its own, at the place of its question.
   *
   * @param {readonly VerifyRequest[]} requests
   * @returns {Promise<Answer<VerifyRequest>[]>}
   */
  verifyBatch(requests) {
    return this.#askAll("verify", "/api/verify/batch", parts(requests, FLIGHTS), Answer);
  }

  /**
   * Ask about many itineraries. Each has an answer of its own, at the place of its question.
   *
   * @param {readonly ItineraryRequest[]} requests
   * @returns {Promise<ItineraryAnswer[]>}
   */
  verifyItineraryBatch(requests) {
    const asked = parts(requests, ITINERARIES);
    return this.#askAll("verify_itinerary", "/api/itineraries/verify/batch", asked, ItineraryAnswer);
  }

  /**
   * Find exact models by brand, name, number, mAh or Wh, the best match first. Let a person choose.
   *
   * @param {string} words
   * @param {{readonly limit?: number}} [options]
   * @returns {Promise<import("./lookup.js").Lookup<import("./index.js").Model>>}
   */
  async search(words, { limit = 10 } = {}) {
    const asked = new URLSearchParams({ q: words, limit: String(limit) });
    return lookedUp(await this.#send(`/api/devices?${asked}`), this.#sandbox, modelsFound);
  }

  /**
   * Read the codes of answers and errors with their sentences in the client's language, of all kinds or of one.
   *
   * @param {string} [kind]
   * @returns {Promise<import("./lookup.js").Lookup<import("./index.js").ListedCode>>}
   */
  async codes(kind) {
    const asked = new URLSearchParams({ language: this.#language, ...(kind === undefined ? {} : { kind }) });
    const language = this.#language;
    return lookedUp(await this.#send(`/api/codes?${asked}`), this.#sandbox, (body) => codesFound(body, language));
  }

  /**
   * Look up the recalls of a model, and with a serial or its hash what each says about that unit. Whether a unit may
   * travel, only `verify` says. No address contains the serial.
   *
   * @param {string} modelId
   * @param {Pick<import("./index.js").Facts, "serial" | "serial_hash">} [unit]
   * @returns {Promise<import("./lookup.js").Lookup<import("./index.js").Recall>>}
   */
  async recalls(modelId, { serial, serial_hash } = {}) {
    if (serial === undefined && serial_hash === undefined) {
      const reply = await this.#send(`/api/devices/${encodeURIComponent(modelId)}/recalls`);
      return lookedUp(reply, this.#sandbox, (body) => recallsFound(body, modelId));
    }
    const asked = JSON.stringify({ model_id: modelId, serial, serial_hash, limit: MOST_RECALLS });
    const reply = await this.#send("/api/recalls/check", asked);
    return lookedUp(reply, this.#sandbox, (body) => recallsChecked(body, modelId, serial));
  }

  /**
   * @template {import("./index.js").AnyRequest} R
   * @template {Answer<R>} A
   * @param {import("./judging.js").Question["operation"]} operation
   * @param {string} path
   * @param {R} request
   * @param {new (...about: ConstructorParameters<typeof Answer<R>>) => A} Kind
   */
  async #ask(operation, path, request, Kind) {
    const body = JSON.stringify({ options: { language: this.#language }, ...request });
    return this.#answer(operation, JSON.parse(body), await this.#send(path, body), Kind);
  }

  /**
   * @template {import("./index.js").AnyRequest} R
   * @template {Answer<R>} A
   * @param {import("./judging.js").Question["operation"]} operation
   * @param {string} path
   * @param {readonly (readonly R[])[]} asked
   * @param {new (...about: ConstructorParameters<typeof Answer<R>>) => A} Kind
   */
  async #askAll(operation, path, asked, Kind) {
    const answers = [];
    for (const items of asked) {
      const body = JSON.stringify({ options: { language: this.#language }, items });
      const questions = JSON.parse(body).items;
      const replies = repliesIn(await this.#send(path, body), questions.length);
      for (const [at, reply] of replies.entries()) {
        answers.push(this.#answer(operation, questions[at], reply, Kind));
      }
    }
    return answers;
  }

  /**
   * @template {import("./index.js").AnyRequest} R
   * @template {Answer<R>} A
   * @param {import("./judging.js").Question["operation"]} operation
   * @param {any} request As it was sent: a later change of the caller's object must not change the question.
   * @param {Reply} reply
   * @param {new (...about: ConstructorParameters<typeof Answer<R>>) => A} Kind
   */
  #answer(operation, request, reply, Kind) {
    const question = deepFrozen({ operation, request });
    return new Kind(reply, question, this.#clock, understood(reply, question, this.#sandbox));
  }

  /**
   * Return the last reply to a request: by POST with a body, or else by GET.
   *
   * @param {string} path
   * @param {string} [body]
   * @returns {Promise<Reply>}
   */
  async #send(path, body) {
    const began = this.#clock();
    for (let attempt = 1; ; attempt += 1) {
      const left = this.#patience.seconds - this.#since(began);
      const reply = await this.#try(path, body, Math.min(this.#patience.secondsEach, left));
      const pause = pauseAfter(reply, attempt, this.#since(began), this.#patience, Math.random());
      if (pause === null) return reply;
      await this.#sleep(pause);
    }
  }

  /** @param {import("./instants.js").Instant} began */
  #since(began) {
    return (this.#clock().monotonic - began.monotonic) / 1000;
  }

  /**
   * @param {string} path
   * @param {string | undefined} body
   * @param {number} seconds
   * @returns {Promise<Reply>}
   */
  async #try(path, body, seconds) {
    const sent = this.#clock();
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), seconds * 1000);
    try {
      const response = await this.#fetch(this.#root + path, {
        method: body === undefined ? "GET" : "POST",
        headers: this.#headers,
        ...(body === undefined ? {} : { body }),
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
