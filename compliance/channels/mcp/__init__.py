"""The service as tools for agents (Model Context Protocol), over HTTP at `/mcp` and over stdio.

A tool does what an operation of the API does, with the same readers, the same door, the same words and
limits. So an agent always gets the same answers as a client of the API. Missing data is a normal result, with
a `reason_code` and the next step; no input of a caller ends in an exception.

`tools` has all tools, `resources` the guides and the manifest, `server` puts both into the official SDK,
`views` serves HTTP and `manage.py mcp` stdio. The SDK is imported at the first call: it is large, and most
processes never need it.
"""
