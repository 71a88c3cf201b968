/** The client passes the vectors that all clients share. HTTP, clocks and pauses come from the vector. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Client } from "../src/index.js";

const VECTORS = JSON.parse(readFileSync(new URL("../../vectors.json", import.meta.url), "utf8"));
const BASE = "https://service.example";

/** @type {Record<string, [string, (client: Client, request: any) => Promise<any>]>} */
const OPERATIONS = {
  verify: ["/api/verify", (client, request) => client.verify(request)],
  verify_trip: ["/api/trips/verify", (client, request) => client.verifyTrip(request)],
  verify_itinerary: ["/api/itineraries/verify", (client, request) => client.verifyItinerary(request)],
  verify_batch: ["/api/verify/batch", (client, request) => client.verifyBatch(request.items)],
  verify_itinerary_batch: [
    "/api/itineraries/verify/batch",
    (client, request) => client.verifyItineraryBatch(request.items),
  ],
  search: ["/api/devices?q=acme+slim+10k&limit=10", (client, { q, limit }) => client.search(q, { limit })],
  codes: ["/api/codes?language=en", (client) => client.codes()],
  recalls: ["/api/devices/acme-slim-10k/recalls", (client, request) => client.recalls(request.model_id)],
  check_recalls: ["/api/recalls/check", (client, { model_id, ...unit }) => client.recalls(model_id, unit)],
};

/** A service, a clock and a way to wait, all for one vector. */
class Stage {
  /** @param {any} vector */
  constructor(vector) {
    this.vector = vector;
    this.start = Date.parse(vector.starts_at);
    this.wall = 0;
    this.monotonic = 0;
    /** @type {number[]} */
    this.pauses = [];
    /** @type {{address: string, sent: any}[]} */
    this.requests = [];
  }

  // A monotonic clock may start at any number.
  clock = () => ({ wall: this.start + this.wall, monotonic: 5_000_000 + this.monotonic });

  /** @param {number} seconds @param {number} [wallSeconds] */
  passes(seconds, wallSeconds = seconds) {
    this.monotonic += seconds * 1000;
    this.wall += wallSeconds * 1000;
  }

  /** @param {number} seconds */
  sleep = async (seconds) => {
    this.pauses.push(seconds);
    this.passes(seconds);
  };

  /** @param {any} address @param {any} request @returns {Promise<Response>} */
  fetch = async (address, request) => {
    const { replies } = this.vector;
    const reply = replies[Math.min(this.requests.length, replies.length - 1)];
    this.requests.push({ address, sent: request.method === "GET" ? null : JSON.parse(request.body) });
    this.passes(reply.takes_seconds);
    if (reply.failure === "timeout") {
      await new Promise((resolve) => {
        request.signal.addEventListener("abort", resolve);
      });
      throw request.signal.reason;
    }
    if (reply.failure === "unreachable") throw new TypeError("fetch failed");
    const content = "json" in reply ? JSON.stringify(reply.json) : reply.text;
    return new Response(content, {
      status: reply.status,
      // By default it would label a text as text.
      headers: { "content-type": "", ...reply.headers },
    });
  };

  client() {
    const { sandbox, ...patience } = this.vector.client;
    // A timer of the real clock ends a request without a reply.
    const waits = this.vector.replies.some((/** @type {any} */ reply) => reply.failure === "timeout");
    return new Client(BASE, {
      sandbox,
      patience: { ...patience, ...(waits ? { secondsEach: 0.01 } : {}) },
      fetch: this.fetch,
      clock: this.clock,
      sleep: this.sleep,
    });
  }
}

/** @param {any} one */
function code(one) {
  return one.whyNot()?.code ?? null;
}

/**
 * Check what an answer, the answers of a batch or a look-up say.
 *
 * @param {any} answer
 * @param {any} read
 */
function says(answer, read) {
  if ("answers" in read) {
    assert.deepEqual(answer.map(code), read.answers);
    for (const one of answer) assert.equal(one.clearToPack(), code(one) === null);
    return;
  }
  assert.equal(code(answer), read.why_not);
  if ("field" in read) assert.equal(answer.whyNot().field, read.field);
  if ("found" in read) {
    const ids = answer.found?.map((/** @type {any} */ one) => one.code ?? one.recall_id ?? one.model_id) ?? null;
    assert.deepEqual(ids, read.found);
    if ("match_status" in read) {
      assert.deepEqual(answer.found.map((/** @type {any} */ one) => one.match_status), read.match_status);
    }
    return;
  }
  assert.equal(answer.clearToPack(), read.clear_to_pack);
  if ("passengers" in read) assert.deepEqual(answer.passengers.map(code), read.passengers);
}

for (const vector of VECTORS) {
  test(vector.id, async () => {
    const stage = new Stage(vector);
    const client = stage.client();
    const [path, ask] = OPERATIONS[vector.operation];
    const answer = await ask(client, vector.request);

    const came = [stage.wall, stage.monotonic];
    for (const read of vector.reads) {
      [stage.wall, stage.monotonic] = came;
      stage.passes(read.after_seconds, read.wall_seconds);
      says(answer, read);
    }
    if ("requests" in vector) assert.equal(stage.requests.length, vector.requests);
    if ("pauses_at_least" in vector) {
      assert.equal(stage.pauses.length, vector.pauses_at_least.length);
      vector.pauses_at_least.forEach((/** @type {number} */ least, /** @type {number} */ at) => {
        assert.ok(stage.pauses[at] >= least);
      });
    }
    for (const { address, sent } of stage.requests) {
      assert.equal(address, BASE + path);
      // A look-up has no texts in several languages, and asks for a list that is whole.
      const more = vector.operation === "check_recalls" ? { limit: 200 } : { options: { language: "en" } };
      assert.deepEqual(sent, sent === null ? null : { ...more, ...vector.request });
    }
  });
}
