"""Many records at once: files of records as input to actions, and records as files.

`cells` writes records as rows of text, `files` reads and writes CSV, XLSX and JSON, `importing` runs the
actions and reports the outcome of each row. A kind of record takes part through its `Table` (`tables`) alone.

Why not django-import-export: it writes model instances one by one, with `save`, but here every change goes
through an action that takes whole records; it does not know ordered evidence; and it does not tie what it
applies to what it previewed.
"""
