"""Which pages search engines may list, and since when each says what it says.

The tables, and a copy in memory that outlives an outage of the database. `discovery` alone writes them.
Called by all views.
"""
