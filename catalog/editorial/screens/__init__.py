"""Admin screens of revisions: states, buttons, bulk actions, import as drafts, live panels."""
