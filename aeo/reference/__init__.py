"""The pages of models, airlines, countries and recalls, and the lists of them.

Each fact is read from the release as the API reads it. `indexing` says which are for search engines.
"""
