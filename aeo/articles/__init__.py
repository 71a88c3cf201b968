"""The page of one model on one airline's flights that touch one country (/p/…).

All renderings (page, JSON, manifest entry) come from one `Article`; every answer comes through
`rules.verdicts`. Called by `discovery`, and by pages that link to verdicts.
"""
