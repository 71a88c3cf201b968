"""Many records at once: files of records in, verbs out, and the way back.

`cells` spells records as rows of text, `files` reads and writes CSV, XLSX and JSON, `importing` runs the
verbs and says what became of each row. A kind of record takes part by a `Table` (`tables`), nothing more.

Why not django-import-export: it writes model instances one by one, with `save`, where every change here goes
through a verb that takes whole records; it knows no ordered evidence; and what it applies after a preview is
not bound to what was previewed.
"""
