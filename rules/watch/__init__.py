"""The source watch: it notices that the evidence changed, and puts that in front of an editor.

Each page on which something rests is visited again and again. Where it says something else than an editor
knows, a signal is opened, and a person decides. Nothing here writes a rule, and no verdict reads what is
written here. Models, actions, screens, selectors and jobs of the watch lie in this folder.
"""

JOB = "source watch"
"""The name of its runs, and of what it gave up on."""

BROKEN = "program_failed"
"""The trouble of a page at which our own program failed."""
