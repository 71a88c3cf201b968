"""The starter corpus, and how an installation with an earlier one gets a newer one.

The files are the corpus; `compliance.starter_corpus.seeding` loads them into an installation that has
published nothing. `manage.py corpus update` compares them with the recorded data: `kinds` are the kinds of
records, `recorded` reads the present records and the corpus's earlier content, `comparing` finds new,
changed, removed and conflicting records. `actions` writes proposals, which editors accept or decline
(`admin`); `preview` is the content if all of them were accepted. Nothing here publishes.
"""
