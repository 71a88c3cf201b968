"""What a person at the desk is told: mentions, assignments, returns, owed approvals, failed plans, due days.

A job collects it from the rows, each once for a person, who sees it on a page of the desk, by mail, and in a
private feed. Mails and the feed name records and people, and quote nothing that people wrote.
"""
