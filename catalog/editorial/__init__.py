"""The workflow of revisions (rules, recalls, disagreements).

States, actions, permissions, audit log, publishing and roll-back. `rules` and `recalls` subclass `Revision`
and call these actions.
"""
