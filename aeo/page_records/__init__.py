"""Which pages search engines may list, and when the content of each last changed.

The tables, and a copy in memory that survives an outage of the database. Only `discovery` writes them. Called
by all views.
"""
