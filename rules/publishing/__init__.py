"""Makes the next release: candidate, refusals, publishing, plans, roll-back.

Each action is one transaction: it does all or nothing. Called by the desk, `manage.py release` and the
scheduled job.
"""
