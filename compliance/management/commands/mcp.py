"""`manage.py mcp`: the tools for agents (Model Context Protocol) over stdin and stdout."""

import asyncio
import contextlib
from typing import Any

from django.core.management.base import BaseCommand

from rules import corpus


class Command(BaseCommand):
    """Serve one agent, which starts this command, until it closes stdin."""

    help = "Serve the tools for agents (Model Context Protocol) over stdin and stdout."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Load a release, follow its successors, and answer."""
        # It takes long to load, and no other command needs it.
        from compliance.channels.mcp.local import serve

        corpus.follow()
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(serve())
