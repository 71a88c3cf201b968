"""Which exact models, and which units of them, are under recall.

`serials` says what a serial proves, `patterns` tests a pattern, `languages` compares recalls before and after
a change, `records` is the frozen record. A recall never counts for a brand.
"""
