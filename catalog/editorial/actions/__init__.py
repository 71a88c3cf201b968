"""The actions of the workflow. Each runs in one transaction and writes the audit log."""
