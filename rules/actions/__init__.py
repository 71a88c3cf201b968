"""The verbs that change rules and releases: keyword-only, atomic, `by=` a person, with named errors."""
