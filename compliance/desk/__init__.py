"""The editor desk: the first page of the admin, the navigation of every page, and the header.

Work that waits for the person comes first, with counts, in a constant number of queries. The settings name
the three functions of `first_page`.
"""
