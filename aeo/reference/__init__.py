"""The pages of models, airlines, countries and recalls, and the lists of them.

Each fact is read from the release as in the API. `indexing` says which pages are for search engines.
"""
