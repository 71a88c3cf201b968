"""Disagreements: where sources contradict each other, who says what, which rule is applied, and why.

Editors keep them as revisions, like rules, and a release holds them. They explain a rule to readers; the
engine never reads one, so none changes a verdict. `rules.engine.disagreements` is the value and says what no
release may hold. Here are the tables, `actions`, which alone writes, and the screens; the pages read
`rules.selectors.disagreements`.
"""
