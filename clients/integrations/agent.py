"""An agent made with fastmcp: it looks for the model, then asks for a verdict."""

import asyncio
import os

from fastmcp import Client


async def main() -> None:
    """Ask."""
    async with Client(f"{os.environ['ADDRESS']}/mcp") as client:
        found = await client.call_tool("search_models", {"q": "anker a1263"})
        model_id = found.structured_content["answer"]["devices"][0]["model_id"]
        answer = await client.call_tool(
            "verify_power_bank", {"model_id": model_id, "origin": "US", "destination": "GB", "airline": "BA"}
        )
        print(model_id, answer.structured_content["answer"]["verdict"])


asyncio.run(main())
