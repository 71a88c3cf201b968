"""Publishes one release after the other in a database for measuring: each has one source more."""

import itertools
import time

_numbers = itertools.count()


class Publisher:
    """An editor who records sources, and another person who publishes them."""

    def __init__(self) -> None:
        """Make the accounts, and read a source to copy."""
        from django.contrib.auth.models import User

        from catalog.models import Source

        self._editor = User.objects.create_user("bench-editor")
        self._publisher = User.objects.create_superuser("bench-publisher")
        (self._source,) = Source.objects.all()[:1].records()

    def record(self) -> None:
        """Record one more source. No answer depends on it."""
        from msgspec.structs import replace

        from catalog.sources.actions import record_source

        name = f"bench-one-more-{next(_numbers)}"
        more = replace(self._source, id=name, url=f"https://{name}.example/batteries")
        record_source(by=self._editor, source=more)

    def publish(self, *, with_cases: bool = False) -> float:
        """Publish what is recorded, by the action of the desk. Returns the clock seconds at its end."""
        from django.utils import timezone

        from rules.publishing.actions.releases import publish_release

        cases = None if with_cases else ()
        publish_release(by=self._publisher, note="One more source.", now=timezone.now(), cases=cases)
        return time.time()
