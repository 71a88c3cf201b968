// The TypeScript SDK for agents, before and after ten seconds of other work.
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const client = new Client({ name: "integration", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(`${process.env.ADDRESS}/mcp`)));
const { tools } = await client.listTools();
await pause(10_000);
const { structuredContent } = await client.callTool({
  name: "verify_power_bank",
  arguments: { model_id: "anker-a1263", origin: "US", destination: "GB", airline: "BA" },
});
console.log(`${tools.length} tools; after 10 s: ${structuredContent.answer.verdict}`);
await client.close();
