"""/timeline: the days on which rules start and end, by month and by who made them.

`dates` finds them in a release; `page` draws and lists them; the home page shows the next ones. Called by the
views here and by the checker.
"""
