"""The contract's text about the service as a whole. The settings put it into the frame of the contract."""

DESCRIPTION = """\
May this power bank travel on this flight? Cited, machine-readable verdicts for an exact catalog model, \
a route with its stops, an airline, and cabin or hold.

**Boundary.** Answers are informational and cited. They are not legal advice, not a certification and no \
guarantee that airport, airline or security staff accept a power bank.

**Fail closed.** Only the verdict `allowed`, before its `expires_at`, means allowed. Never treat as allowed: \
`conditional`, `banned`, `insufficient`, any error, a time-out, or an answer that is past its `expires_at`.

**One release.** Every answer names the `ruleset_version` that it is based on. Verdicts and lists use the \
same release, so they cannot disagree.

**Errors** are `application/problem+json` (RFC 9457). Programs decide by `code`; `detail` is for people.

**Keys** are optional. A partner key sets limits, allowed origins, support terms and how much two \
operations show; it never changes a verdict.

**Compression.** Send `Accept-Encoding: br, gzip`: answers above 1,000 bytes then come compressed. Prefer \
`br` for large batches: it makes them a hundred times smaller, `gzip` ten times. A receipt is over the JSON \
itself.

**Receipts** are for those who ask: with `Prefer: receipt`, a verdict has one in `X-Service-Receipt`; \
`Accept-Signature` (RFC 9421) gets a signature that also covers the question.

**Sandbox.** The addresses below `/sandbox` have the same operations, except receipts, policy changes and \
watches. They use made-up models and airlines, which give every verdict, error and fault. \
`GET /sandbox/api/outcomes` lists them.

**Documents** are next to the operations: the manifest, datasets, feeds and others, without keys, for pages \
of any site, each the same for everyone. They are not in the sandbox.

**New fields** may appear in answers at any time: ignore fields that you do not know. Unknown fields in \
requests are refused; a field that is null counts as absent. Every GET operation also answers HEAD, and \
every address answers OPTIONS.
"""

SERVERS = [
    {"url": "/", "description": "The server that serves this contract."},
    {
        "url": "/sandbox",
        "description": "The sandbox: made-up models and airlines that give every outcome. Nothing in it is "
        "real.",
    },
]

TAGS = [
    {"name": "Verdicts", "description": "May it travel?"},
    {"name": "Devices", "description": "Exact catalog models and their facts."},
    {"name": "Recalls", "description": "Recalls of exact models, never of a brand."},
    {"name": "Airlines", "description": "Airlines' policies and their changes."},
    {"name": "Rules and evidence", "description": "The rules and sources that verdicts are based on."},
    {"name": "Documents", "description": "Documents that are the same for everyone, with entity tags."},
]
