"""The ways into the service apart from the API.

Agents (MCP), frames in partners' pages, the sandbox, bulk verification, packages of the clients. Each uses
`api` if anything; none imports another.
"""
