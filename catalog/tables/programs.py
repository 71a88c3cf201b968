"""The accounts of programs, by name: rows that a program writes name one of these as their author.

No person signs in as one of them (`compliance.signin.rights`). A new program adds its name here.
"""

PROGRAMS = frozenset(
    {
        "command-line",
        "emergency",
        "recall-feeds",
        "roll-back",
        "schedule",
        "starter-corpus",
        "starter-corpus-review",
        "starter-corpus-update",
    }
)
