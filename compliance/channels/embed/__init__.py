"""The check inside pages of partners: a script tag, or a frame alone.

A frame names a partner key by its public id, and browsers show it in pages of that partner's origins and in
no others. It is a page like those of the site: the same questions, answers and words, no cookie, nothing from
elsewhere. No verdict leaves it for the page around it, so nobody can make something else of one.

`frames` says who may show a frame, `themes` how it may look, `views` answers, `how_to_page` shows partners
how it is put on a page. `docs/embed.md` says the same to operators.
"""
