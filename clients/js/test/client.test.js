/** What no vector can test: the settings of the client, and what is impossible with an answer. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { Client } from "../src/index.js";

const FLIGHT = { model_id: "acme-slim-10k", trip: { origin: "JP", destination: "SG", airline: "SQ" } };

/**
 * @param {import("node:http").RequestListener} answer
 * @param {(address: string) => Promise<void>} use
 */
async function served(answer, use) {
  const server = createServer(answer);
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(undefined));
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  try {
    await use(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** @param {string} address @param {number} [secondsEach] */
function once(address, secondsEach = 10) {
  return new Client(address, { patience: { attempts: 1, secondsEach } }).verify(FLIGHT);
}

test("an answer is neither true nor a text, and has no verdict to compare", async () => {
  const answer = await once("http://127.0.0.1:1");
  assert.throws(() => answer == /** @type {any} */ (true), TypeError);
  assert.throws(() => `${answer}`, TypeError);
  assert.equal("verdict" in answer, false);
  assert.equal(answer.clearToPack(), false);
});

test("no code can make an answer clear", async () => {
  const answer = /** @type {any} */ (await once("http://127.0.0.1:1"));
  assert.throws(() => {
    answer.clearToPack = () => true;
  }, TypeError);
});

test("a loop over passengers always finds one, and nobody is clear if nothing came back", async () => {
  const flight = { origin: "JP", destination: "SG", operating_airline: "SQ" };
  for (const passengers of /** @type {any[]} */ ([2, 0, "2", undefined])) {
    const client = new Client("http://127.0.0.1:1", { patience: { attempts: 1 } });
    const request = { passengers, items: [{ model_id: "acme-slim-10k" }], segments: [flight] };
    const answer = /** @type {any} */ (await client.verifyItinerary(request));
    assert.equal(answer.passengers.length, passengers === 2 ? 2 : 1);
    for (const passenger of answer.passengers) {
      assert.equal(passenger.clearToPack(), false);
      assert.deepEqual(passenger.items, []);
      assert.throws(() => `${passenger}`, TypeError);
      assert.throws(() => {
        passenger.clearToPack = () => true;
      }, TypeError);
    }
    assert.throws(() => {
      answer.passengers = [];
    }, TypeError);
  }
});

test("an address without TLS is refused, except on this machine", () => {
  assert.throws(() => new Client("http://service.example"), TypeError);
  assert.throws(() => new Client("ftp://service.example"), TypeError);
  assert.throws(() => new Client("https://service.example/?a=b"), TypeError);
  assert.throws(() => new Client("https://shop:secret@service.example"), TypeError);
  const settings = /** @type {any} */ ({ allowPlainHttp: "false" });
  assert.throws(() => new Client("http://service.example", settings), TypeError);
  new Client("http://service.example", { allowPlainHttp: true });
  new Client("http://localhost:8000");
});

test("an answer that never ends is given up", () =>
  served(
    (request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    },
    async (address) => assert.equal((await once(address, 0.3)).whyNot()?.code, "timeout"),
  ));

test("an answer that is too long is not an answer", () =>
  served(
    (request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(" ".repeat(5_000_000));
    },
    async (address) => assert.equal((await once(address)).whyNot()?.code, "malformed"),
  ));

test("no redirect is followed to another address", () =>
  served(
    (request, response) => {
      response.writeHead(307, { location: "/elsewhere", "content-type": "text/html" });
      response.end();
    },
    async (address) => assert.equal((await once(address)).whyNot()?.code, "unexpected_status"),
  ));

test("a key is sent as the service reads it", () =>
  served(
    (request, response) => {
      response.writeHead(401, { "content-type": "application/problem+json" });
      response.end(
        JSON.stringify({
          code: request.headers["x-service-key"] === "btk_1" ? "INVALID_KEY" : "NOT_FOUND",
          title: "No",
          detail: "No.",
          request_id: "1",
          suggested_next_step: { code: "CHECK_THE_KEY", message: "Check it.", url: null },
        }),
      );
    },
    async (address) => {
      const answer = await new Client(address, { key: "btk_1" }).verify(FLIGHT);
      assert.equal(answer.problem?.code, "INVALID_KEY");
      assert.equal(answer.nextStep?.code, "CHECK_THE_KEY");
      assert.equal(answer.clearToPack(), false);
    },
  ));

test("a receipt is asked for by those who want one", () => {
  /** @type {(string | undefined)[]} */
  const asked = [];
  return served(
    (request, response) => {
      asked.push(/** @type {string | undefined} */ (request.headers.prefer));
      response.writeHead(404).end();
    },
    async (address) => {
      await new Client(address, { receipts: true }).verify(FLIGHT);
      await new Client(address).verify(FLIGHT);
      assert.deepEqual(asked, ["receipt", undefined]);
    },
  );
});

test("an answer belongs to what was asked, not to what became of the object", async () => {
  const request = structuredClone(FLIGHT);
  const answer = await new Client("http://127.0.0.1:1", { patience: { attempts: 1 } }).verify(request);
  request.model_id = "acme-slim-20k";
  assert.equal(answer.question.model_id, "acme-slim-10k");
});

test("many questions are asked in parts, and each answer belongs to its question", () => {
  /** @type {number[]} */
  const sizes = [];
  return served(
    (request, response) => {
      let sent = "";
      request.on("data", (chunk) => (sent += chunk));
      request.on("end", () => {
        sizes.push(JSON.parse(sent).items.length);
        response.writeHead(503, { "content-type": "application/problem+json" });
        response.end();
      });
    },
    async (address) => {
      const client = new Client(address, { patience: { attempts: 1 } });
      const requests = Array.from({ length: 120 }, (_, at) => ({ ...FLIGHT, quantity: at + 1 }));
      const answers = await client.verifyBatch(requests);
      assert.deepEqual(sizes, [50, 50, 20]);
      assert.deepEqual(answers.map((answer) => answer.question.quantity), requests.map((one) => one.quantity));
      assert.equal(answers.some((answer) => answer.clearToPack()), false);
    },
  );
});

test("a look-up that failed is no empty list", async () => {
  const lookup = await new Client("http://127.0.0.1:1", { patience: { attempts: 1 } }).recalls("acme-slim-10k");
  assert.equal(lookup.found, null);
  assert.equal(lookup.whyNot()?.code, "unreachable");
  assert.throws(() => `${lookup}`, TypeError);
});
