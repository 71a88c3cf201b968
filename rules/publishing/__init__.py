"""Makes the next release: candidate, refusals, publishing, plans, roll-back.

Each action is one transaction: all of it happens, or nothing. Called by the desk, `manage.py release` and the
scheduled job.
"""
