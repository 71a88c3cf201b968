"""Writing a rule: its table, its actions, its form with the live sentence and the trial.

Only `actions` writes rules. A draft reaches verdicts with the next release.
"""
