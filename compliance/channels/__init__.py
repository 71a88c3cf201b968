"""Other ways into the service than the API.

Agents (MCP), frames in partners' pages, the sandbox, bulk verification, the page for developers. Each is
built on `api`; none imports another.
"""
