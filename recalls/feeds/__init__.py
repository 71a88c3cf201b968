"""Official feeds of recall notices: a notice can become a draft for editors, never more.

- `notices` is common to all feeds; `cpsc`, `safety_gate`, `health_canada` and `accc` each read one.
- `matching` finds the exact models that a notice names; `guard` refuses an answer that looks broken.
- `syncing` runs a feed; only `actions` writes; `requests` fetches, with retries.
- The tables and the screens are here too.

No feed has a field for affected serials, so no draft made here says which units are affected.
"""
