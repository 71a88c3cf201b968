"""Verdict cases as editors keep them: the table, the workflow, and the screens.

What a case is, how it is asked and how its answer is compared is in `rules.cases`, which knows no database.
Here are its rows: a case is written and reviewed as a rule is, and is asked of every release from the instant
at which another person approved it. No release contains cases; each names the digest of those that it was
asked.
"""
