// A first verdict through the Model Context Protocol.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const client = new Client({ name: "newcomer", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(`${process.env.ADDRESS}/mcp`)));
const { structuredContent } = await client.callTool({
  name: "verify_power_bank",
  arguments: { model_id: "anker-a1263", origin: "US", destination: "GB", airline: "BA" },
});
console.log(structuredContent.answer.verdict);
await client.close();
