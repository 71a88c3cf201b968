"""The only code that writes releases, plans, accepted cases and records held back.

Each does all or nothing. Called by the desk, `manage.py release` and the scheduled job.
"""
