"""What every page and file of the site shares.

Its address in each language, how long a copy may be cached and when it is still valid, structured data, and
dates and numbers as people write them. Knows no page. Called by all slices and by `compliance`.
"""
