"""The editor desk: the first page of the admin, the navigation of every page, and what their header says.

What a person has to do comes first, with counts, in a constant number of queries. The settings name the three
functions of `first_page`.
"""
