"""`manage.py mcp` with the starter corpus in memory: it needs no database.

`python -m tests.agents.starter_agent` runs it.
"""

import sys

import django
from django.core.management import call_command

if __name__ == "__main__":
    django.setup()

    from rules import corpus
    from rules.selectors import policy_history, watch
    from tests.starter import starter_release

    release = corpus._current = starter_release()
    policy_history.starts_with(release)
    watch.stands_still()
    sys.exit(call_command("mcp"))
