"""Audit exports: what was answered in a period, as one signed archive that a third party checks offline.

`layout` names what is in an archive, `packing` makes its bytes, `contents` reads the database for it, and
`compliance.records.audit_export.actions` is the verb, which is controlled. `checking` and `replaying` work
from the archive alone: no database, no settings. `docs/audit.md` tells the same to auditors.
"""
