"""The official SDK's server with our tools and resources in it, one for each process.

The SDK handles the protocol, in every revision that it knows. Requests are answered here, in the thread that
received them: tools wait for nothing except, some of them, the database. The SDK's lower level is used,
because there our own readers see the arguments as they were sent: its upper level drops unknown names, and
takes `"2"` for 2.

Called by `views` (HTTP) and by `manage.py mcp` (stdio), which identify the caller.
"""

import functools
from collections.abc import Callable
from typing import Any

import mcp.types as types
import msgspec
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import Error as DatabaseFailure
from mcp import MCPError
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server

from compliance.api.protocol.bodies import encode
from compliance.channels.mcp import itineraries, reading, resources, texts, tools, verdicts
from compliance.channels.mcp.calls import Call, Outcome
from compliance.channels.mcp.listing import NAME, TITLE, VERSION
from compliance.channels.mcp.numbers import exact
from compliance.channels.mcp.tools import Tool
from rules.corpus import CorpusUnavailable

RECEIPT = "battery-travel/receipt"
"""A call asks for a receipt by `true` under this key of its `_meta`. The receipt is there in its result."""

TOOLS: dict[str, Tool] = {tool.name: tool for tool in (*reading.TOOLS, *verdicts.TOOLS, *itineraries.TOOLS)}

_HOUR = 60 * 60 * 1000

_OF_CALL = {field.alias or name for name, field in types.CallToolRequestParams.model_fields.items()}
"""What a call may have beside its arguments."""

Context = ServerRequestContext[Any, Any]
Asker = Callable[[Context], Call]


def server(asker: Asker) -> Server[Any]:
    """Return a server; `asker` finds the sender of the message of a context."""

    async def list_tools(context: Context, params: Any) -> types.ListToolsResult:
        return _listed_tools()

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(
                types.INVALID_PARAMS, f"There is no tool with this name. The tools are {', '.join(TOOLS)}."
            )

        def call() -> Outcome:
            asked = asker(context)
            asked.receipt = asked.receipt or (params.meta or {}).get(RECEIPT) is True
            return tools.call(tool, asked, exact(params.arguments or {}))

        return _result(await sync_to_async(call)(), tool)

    async def list_resources(context: Context, params: Any) -> types.ListResourcesResult:
        listed = await sync_to_async(_reading)(resources.listed)
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=one.uri,
                    name=one.name,
                    title=one.title,
                    description=one.description,
                    mime_type=one.mime_type,
                )
                for one in listed
            ]
        )

    async def list_templates(context: Context, params: Any) -> types.ListResourceTemplatesResult:
        return _listed_templates()

    async def read_resource(
        context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        found = await sync_to_async(_reading)(functools.partial(resources.read, uri))
        if found is None:
            raise MCPError(types.INVALID_PARAMS, "There is no resource at this address.")
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=found.uri, mime_type=found.mime_type, text=found.text)],
            ttl_ms=found.seconds * 1000,
            cache_scope="public",
        )

    made: Server[Any] = Server(
        NAME,
        version=VERSION,
        title=TITLE,
        instructions=texts.INSTRUCTIONS,
        website_url=settings.SITE_URL,
        cache_hints={
            "server/discover": CacheHint(_HOUR, "public"),
            "tools/list": CacheHint(_HOUR, "public"),
            "resources/list": CacheHint(_HOUR // 12, "public"),
            "resources/templates/list": CacheHint(_HOUR, "public"),
        },
        get_tool_input_schema=lambda name: TOOLS[name].takes if name in TOOLS else None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )
    # Not the SDK's own: its spans would quote what an agent sent. Each request has a span of ours.
    made.middleware[:] = [_refuse_facts_beside_arguments]
    return made


async def _refuse_facts_beside_arguments(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Refuse what the SDK would drop: a fact that is not among the arguments would not be judged."""
    if ctx.method == "tools/call" and (beside := sorted(set(ctx.params or {}) - _OF_CALL)):
        raise MCPError(
            types.INVALID_PARAMS,
            f"`{beside[0][:80]}` is not known beside `arguments`. A tool reads only its `arguments`.",
        )
    return await call_next(ctx)


@functools.cache
def _listed_tools() -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[
            types.Tool(
                name=one.name,
                title=one.title,
                description=one.description,
                input_schema=one.takes,
                output_schema=one.gives,
                annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
            )
            for one in TOOLS.values()
        ]
    )


@functools.cache
def _listed_templates() -> types.ListResourceTemplatesResult:
    languages = ", ".join(f"`{code}`" for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE)
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(
                uri_template=resources.TEMPLATE,
                name="guide-in-language",
                title="A guide in another language",
                description=f"A listed guide by its slug, in one of {languages}.",
                mime_type=resources.MARKDOWN,
            )
        ]
    )


def _reading(read: Callable[[], Any]) -> Any:
    """Return what is read; if there is no data to read yet, return the protocol's error for it."""
    try:
        return read()
    except (CorpusUnavailable, resources.NothingIndexed, DatabaseFailure):
        raise MCPError(types.INTERNAL_ERROR, "Nothing can be read at the moment. Try again later.") from None


def _result(outcome: Outcome, tool: Tool) -> types.CallToolResult:
    """Return the result of a call: the same JSON for programs and, as text, for models."""
    clearance = {"clear_to_pack": outcome.clear_to_pack is True} if tool.verdict else {}
    text = encode({**clearance, "gap": outcome.gap, "answer": outcome.answer})
    return types.CallToolResult(
        content=[types.TextContent(text=text.decode())],
        structured_content=msgspec.json.decode(text),
        is_error=outcome.failed,
        _meta={RECEIPT: outcome.receipt} if outcome.receipt else None,
    )
