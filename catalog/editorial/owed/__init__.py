"""Which approved revisions need a second approval, as a job noted it after measuring them.

A page cannot measure what all approved revisions change: the notes say it in one query. Who approves again is
decided when it is read, because people approve between two measurements.
"""
