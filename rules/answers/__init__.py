"""What an answer page shows next to a verdict.

Guidance for a unit that is not in the catalog, the nearest milder question, which rules decide, which were
considered. All of it comes through `rules.verdicts`. Called by `aeo`; `rules.wording` puts it into words.
"""
