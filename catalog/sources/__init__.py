"""Sources.

Pages that were read, or pointers to pages that were not, how fresh a reading is, and how a list shows its
evidence. Used by every slice whose rows cite sources.
"""
