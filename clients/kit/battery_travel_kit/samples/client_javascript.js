/**
 * The same shop with the JavaScript client, as a server. It asks the stage of the kit at BASE_URL and prints the
 * address at which it answers.
 *
 *     BASE_URL=http://127.0.0.1:8899/sandbox node client_javascript.js
 *     python -m battery_travel_kit --endpoint http://127.0.0.1:PORT/
 */

import { createServer } from "node:http";

import { Client } from "../../../js/src/index.js";

const client = new Client(process.env.BASE_URL ?? "http://127.0.0.1:8899/sandbox", {
  sandbox: true,
  patience: { attempts: 2, seconds: 5, secondsEach: 2 },
});

/** @param {any} question */
function ask(question) {
  if ("items" in question) return client.verifyItinerary(question);
  return "device" in question ? client.verifyTrip(question) : client.verify(question);
}

const server = createServer(async (request, response) => {
  let sent = "";
  for await (const chunk of request) sent += chunk;
  const question = JSON.parse(sent);
  const answer = await ask(question);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ clear_to_pack: answer.clearToPack(), why_not: answer.whyNot()?.code }));
});

server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`http://127.0.0.1:${port}/`);
});
