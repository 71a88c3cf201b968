// Clients of Node that pause for thirty seconds between two requests: a kept connection, fetch, and an agent.
// node pausing.mjs ADDRESS, with the SDK in a node_modules above the copy of this file
import http from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const PAUSE_MILLISECONDS = 30_000;
const address = process.argv[2];

async function twice(name, ask) {
  await ask();
  await pause(PAUSE_MILLISECONDS);
  const said = await ask();
  console.log(`${name}: answered after a pause of ${PAUSE_MILLISECONDS / 1000} s${said ? `, ${said}` : ""}`);
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const overOneConnection = () =>
  new Promise((resolve, reject) => {
    const request = http.get(`${address}/healthz`, { agent }, (response) => {
      response.resume();
      response.on("end", () => resolve(request.reusedSocket ? "on the same connection" : ""));
    });
    request.on("error", reject);
  });

const client = new Client({ name: "pausing", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`)));

await Promise.all([
  twice("Node's http", overOneConnection),
  twice("Node's fetch", async () => {
    const answer = await fetch(`${address}/healthz`);
    if (!answer.ok) throw new Error(`fetch: ${answer.status}`);
    await answer.text();
  }),
  twice("MCP SDK", async () => `${(await client.listTools()).tools.length} tools`),
]);
await client.close();
agent.destroy();
