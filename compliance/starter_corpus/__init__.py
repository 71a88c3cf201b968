"""The starter corpus, and how an installation that was seeded with an earlier one gets a newer one.

The files are the corpus; `compliance.starter_corpus.seeding` loads them into an installation that has
published nothing. `manage.py corpus update` compares them with what is recorded: `kinds` are the kinds of
records, `recorded` reads what is here and what the corpus brought, `comparing` decides what is new, changed,
gone or in conflict. `actions` writes proposals, which editors accept or decline (`admin`); `together` is what
all of them would say. Nothing here publishes.
"""
