"""Audit exports: the answers of a period, as one signed archive that a third party checks offline.

`layout` names the parts of an archive, `packing` makes its bytes, `contents` reads the database for it, and
`compliance.records.audit_export.actions` is the controlled action. `checking` and `replaying` use only the
archive: no database, no settings. `docs/audit.md` describes it for auditors.
"""
