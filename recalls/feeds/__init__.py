"""Official feeds of recall notices: what they say becomes drafts for editors, never more.

- `notices` is what all feeds have in common; `cpsc`, `safety_gate`, `health_canada` and `accc` each read one.
- `matching` finds the exact models that a notice names; `guard` refuses an answer that looks broken.
- `syncing` runs a feed; `actions` alone writes; `requests` fetches with patience.
- The tables and the screens lie here too.

None of the feeds tells affected serials in a field, so no draft made here says which units are affected.
"""
