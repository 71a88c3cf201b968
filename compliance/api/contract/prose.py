"""The contract's text about the service as a whole. The settings put it into the frame of the contract."""

DESCRIPTION = """\
May this power bank travel on this flight? Cited verdicts that a machine can read, for an exact catalog \
model, a route with its stops, an airline, cabin or hold.

**Boundary.** Answers are informational and cited. They are not legal advice, not a certification and no \
guarantee that airport, airline or security staff accept a power bank.

**Fail closed.** Treat as allowed only the verdict `allowed` before its `expires_at`. Never `conditional`, \
`banned`, `insufficient`, any error, a time-out, or an answer that is past its `expires_at`.

**One release.** Every answer names the `ruleset_version` that it was made from. Verdicts and lists read the \
same release, so they cannot disagree.

**Errors** are `application/problem+json` (RFC 9457). Programs decide by `code`; `detail` is for people.

**Keys** are optional. A partner key sets limits, allowed origins, support terms and how deep two lists go; \
it never changes a verdict.

**Sandbox.** Below `/sandbox` the same operations, save receipts, policy changes and watches, answer \
from made-up models and airlines with every verdict, error and fault. `GET /sandbox/api/outcomes` lists them.

**New fields** may appear in answers at any time: ignore those that you do not know. Unknown fields in \
requests are refused. Every GET answers HEAD too, and every address OPTIONS.
"""

SERVERS = [
    {"url": "/", "description": "The server that this contract was read from."},
    {
        "url": "/sandbox",
        "description": "The sandbox: made-up models and airlines that give every outcome, nothing real.",
    },
]

TAGS = [
    {"name": "Verdicts", "description": "May it travel?"},
    {"name": "Devices", "description": "Exact catalog models and their facts."},
    {"name": "Recalls", "description": "Recalls of exact models, never of a brand."},
    {"name": "Airlines", "description": "Airlines' policies, and how they change."},
    {"name": "Rules and evidence", "description": "What verdicts are made from."},
]
