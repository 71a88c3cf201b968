"""Measured changes: which answers a change flips, before it is published.

`survey` computes (pure), `actions` measure in parts, `measurements` reads them, `second_approvals` says what
may not be published yet. Called by publishing and the desk.
"""
