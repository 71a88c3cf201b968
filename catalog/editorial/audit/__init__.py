"""The audit log: who did what to which record, when and why. Entries are only ever added."""
