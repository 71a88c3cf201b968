"""The verdict log: every verdict of the API, the checker or a tool is recorded for a limited time.

An entry is on this machine's disk before the answer leaves (`spool`), so a killed process loses none. A
thread sends the entries on (`shipping`): to a stream of Redis (`stream`), from which workers store them in
the table (`draining`), or straight to the table if there is no Redis. A file is deleted when the table has
its entries; an entry that arrives twice counts once. `backlog` measures how many entries still wait, and
`replaying` judges a recorded question again.

The record has the question without anything that identifies a unit or a person (`entries`). Called by
`compliance.api.protocol.sending`, `compliance.channels.mcp` and `compliance.middleware.pages`.
"""
