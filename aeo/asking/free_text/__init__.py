"""Sentences as people type them, in eight languages.

Every word is used, known to be harmless, or returned as unused. Nothing here decides anything about a flight,
and no typed text is stored. `free_text` imports `aeo.asking.names`, never the other way round.
"""
