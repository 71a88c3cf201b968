"""Notices by mail: what is sent to people when their account or their keys change.

A notice is a row of the transaction that makes the change, so it is sent exactly if the change happens, also
when the mail server is away for a while. A job sends it and deletes the row. Called by signing in and by the
actions of partners.
"""
