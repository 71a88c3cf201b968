"""Disagreements: where sources contradict each other, who says what, which rule is applied, and why.

Editors keep them as revisions, like rules, and a release contains them. They explain a rule to readers; the
engine never reads one, so none changes a verdict. `rules.engine.disagreements` is the value and says what a
release must not contain. Here are the tables, `actions`, the only code that writes, and the screens; the
pages read `rules.selectors.disagreements`.
"""
