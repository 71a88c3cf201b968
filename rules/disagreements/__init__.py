"""Disagreements: where sources contradict each other, who says what, which rule is applied, and why.

Editors keep them as revisions, like rules, and a release holds them. They explain a rule to readers; the
engine never reads one, so none changes a verdict. `records` is the value, `checking` says what no release may
hold, `models` and `actions` keep the rows, `admin` has the screens, `selectors` is the door of the pages.
"""
