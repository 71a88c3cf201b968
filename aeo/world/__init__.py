"""/map: the countries by what counts on departure, one layer an address.

`layers` reads the values from the same selectors as the pages of countries, `shapes` has the outlines, `page`
draws and lists them. Called by the views here.
"""
