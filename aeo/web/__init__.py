"""What every page and file of the site shares.

Its address in each language, how long a copy may be kept and when it is still good, structured data, and
dates and numbers as people write them. Knows no page. Called by all slices and by `compliance`.
"""
