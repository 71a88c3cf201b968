"""What things are: exact models of power banks, airlines, places, and the sources of every statement.

The lowest room. It also holds what every room needs for the editors' desk: tables, screens, the workflow of
revisions, jobs, and the one way out to the web.
"""
