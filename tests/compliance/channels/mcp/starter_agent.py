"""`manage.py mcp` with the starter corpus in memory: it needs no database.

`python -m tests.compliance.channels.mcp.starter_agent` runs it.
"""

import sys

import django
from django.core.management import call_command

if __name__ == "__main__":
    django.setup()

    from aeo.guides import in_force
    from catalog.airports import selectors as airport_facts
    from rules import corpus
    from rules.policy_history import selectors as policy_history
    from rules.watch import selectors as watch
    from tests.support.starter import starter_airport_facts, starter_release

    release = corpus._current = starter_release()
    policy_history.starts_with(release)
    watch.pin_nothing_watched()
    airport_facts.pin(starter_airport_facts())
    in_force.pin_files()
    sys.exit(call_command("mcp"))
