/* Tools for the agent of a browser (WebMCP): those of `/mcp`, with the same words, arguments and answers.

   A browser without WebMCP asks nothing. An agent's arguments go to `/mcp` of this site, without cookies, and to
   no other place. Tools only read. A call that fails raises an error: no answer is made up here. */
"use strict";

const REVISION = "2025-11-25";

async function ask(method, params) {
  const response = await fetch("/mcp", {
    method: "POST",
    credentials: "omit",
    headers: {
      "Accept": "application/json, text/event-stream",
      "Content-Type": "application/json",
      "MCP-Protocol-Version": REVISION,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (!result) {
    throw new Error(error.message);
  }
  return result;
}

async function offer(context) {
  const hello = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: "webmcp", version: "1" } };
  const { instructions } = await ask("initialize", hello);
  const { tools } = await ask("tools/list", {});
  for (const tool of tools) {
    // A page has no instructions of its own, so the tools that give verdicts carry those of the server.
    const isVerdict = "clear_to_pack" in tool.outputSchema.properties;
    await context.registerTool({
      name: tool.name,
      title: tool.title,
      description: isVerdict ? `${tool.description}\n\n${instructions}` : tool.description,
      inputSchema: tool.inputSchema,
      outputSchema: tool.outputSchema,
      annotations: { readOnlyHint: true },
      execute: async (input) =>
        (await ask("tools/call", { name: tool.name, arguments: input })).structuredContent,
    });
  }
}

// It is a property of the document; the first browsers had it at the navigator.
const context = document.modelContext ?? navigator.modelContext;
if (context) {
  // Where there are no tools, the page is what it is for everyone.
  offer(context).catch(() => {});
}
