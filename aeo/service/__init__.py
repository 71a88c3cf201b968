"""Pages by which readers can judge the service itself: how it decides, how well, from what, and what not.

Every figure on them is counted from the release, the shipped cases or the database. Built from values, with
all words by key (`aeo.texts.reference`). Called by `aeo.service.views`.
"""
