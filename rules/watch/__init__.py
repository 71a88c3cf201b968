"""The source watch: it notices when evidence changes, and shows the change to an editor.

It repeatedly visits each page on which something rests. If a page no longer says what an editor knows,
the watch opens a signal, and a person decides. Nothing here writes a rule, and no verdict reads what is
written here. Models, actions, screens, selectors and jobs of the watch are in this folder.
"""

JOB = "source watch"
"""The name of its runs, and of its dead letters."""

BROKEN = "program_failed"
"""The trouble of a page on which our own program failed."""
