"""How people work together at the desk: who does what until when, what they say, and what each is told.

`topics` are what people can talk about and be assigned: rules, recalls, disagreements, change sets, signals,
notices and findings, each by its kind and key as in the audit log. `conversation` has comments and
assignments, `news` what a person is told of them: on a page, by mail and in a private feed, and `webhooks`
what the team's chat or ticket system is told.
"""
