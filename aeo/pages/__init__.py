"""Pages as records: what a page says, apart from how it is sent.

A page is built once (`record.Page`) and then written as HTML or as Markdown, so the two cannot say different
things. `models`, `airlines`, `countries`, `recalls` and `lists` build pages; each fact in them is read off
the release, as the API reads it.
"""
