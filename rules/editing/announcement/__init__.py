"""An announcement: one notice of an authority or an airline, as a checklist that makes rules.

An editor names the page once and ticks what it says. Each line of the checklist makes the rules that the
corpus has for such a sentence; a line that is left open makes none. All are submitted together, or none.
"""
