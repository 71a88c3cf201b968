"""The service as tools for agents (Model Context Protocol), over HTTP at `/mcp` and over stdio.

A tool asks what an operation of the API asks: the same readers, the same door, the same words and limits, so
no agent can be told anything else than a client of the API. What is missing is a result like any other, with
a `reason_code` and what to do next; nothing that a caller sends ends in an exception.

`tools` knows all tools, `resources` the guides and the manifest, `server` puts both into the official SDK,
`views` serves HTTP and `manage.py mcp` stdio. The SDK is imported when the first of them is asked: it is
large, and most processes never need it.
"""
