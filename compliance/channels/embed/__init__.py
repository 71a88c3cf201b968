"""The check inside partners' pages: with a script tag, or only with a frame.

A frame names a partner key by its public id. Browsers show it only in pages of that partner's origins. It is
a page like those of the site: the same questions, answers and words, no cookie, nothing from elsewhere. The
page around a frame cannot read its verdict, so no one can change its meaning.

`frames` decides who may show a frame, `themes` has its possible styles, `views` and `itineraries` answer, and
`how_to_page` shows partners how to put it on a page. `docs/embed.md` says the same for operators.
"""
