"""Datasets: what the published release knows, described for programs and written down in files.

`overview` describes them (/aeo-datasets.json). `rows` are their records, `files` the bytes of a release,
`actions` keeps these, `kept` finds them, and `history` lists what each release changed.

Whatever is here is what anybody may read without a key (`docs/integrating.md` draws the line): of an airline
its preview, of changes of policies their numbers.
"""
