"""`manage.py feeds sync [--feed FEED] | status`: the official feeds of recall notices."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Count
from django.utils import timezone

from catalog.jobs.actions import AlreadyRunning
from catalog.jobs.counts import in_words
from catalog.models import DeadLetter, Run
from recalls.feeds.models import FeedNotice, FeedReview, FeedState
from recalls.feeds.notices import FEED_NAMES, FEEDS, BadAnswer, Feed, Unreachable
from recalls.feeds.syncing import Suspicious, job_of, sync


class Command(BaseCommand):
    """Read the feeds, and print their state."""

    help = "Read the official feeds of recall notices into the editors' queue, or show their status."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the two subcommands and their arguments."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        read = subcommands.add_parser("sync", help="read all feeds, or one of them")
        read.add_argument("--feed", choices=FEEDS, help="the only feed to read")
        subcommands.add_parser("status", help="show when each feed was read, and what waits for editors")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run one subcommand."""
        if options["subcommand"] == "status":
            for feed in FEEDS:
                self._status(feed)
            return
        failed = [feed for feed in FEEDS if options["feed"] in {None, feed} and not self._sync(feed)]
        if failed:
            raise CommandError(f"Not read: {', '.join(failed)}.")

    def _sync(self, feed: Feed) -> bool:
        """Read one feed, and return whether that succeeded. A failing feed does not delay the others."""
        try:
            counts = sync(feed, clock=timezone.now)
        except AlreadyRunning:
            self.stdout.write(f"{FEED_NAMES[feed]}: is already being read.")
        except (Unreachable, BadAnswer, Suspicious) as error:
            self.stderr.write(f"{FEED_NAMES[feed]}: {error}")
            return False
        else:
            self.stdout.write(f"{FEED_NAMES[feed]}: {in_words(counts) or 'nothing new'}.")
        return True

    def _status(self, feed: Feed) -> None:
        self.stdout.write(FEED_NAMES[feed])
        run = Run.objects.filter(name=job_of(feed)).first()
        if run is None:
            self.stdout.write("  never read")
            return
        note = f": {run.note}" if run.note else ""
        self.stdout.write(f"  last run     {run.started:%Y-%m-%d %H:%M} UTC, {run.outcome}{note}")
        states = FeedNotice.objects.filter(feed=feed).order_by("state").values_list("state")
        self.stdout.write(f"  notices     {in_words(dict(states.annotate(Count('pk')))) or 'none'}")
        reviews = FeedReview.objects.filter(notice__feed=feed, closed_at__isnull=True).count()
        missing = FeedNotice.objects.filter(feed=feed, missing_since__isnull=False).count()
        letters = DeadLetter.objects.filter(name=job_of(feed)).count()
        self.stdout.write(f"  to review    {reviews} reviews, {missing} missing, {letters} set aside")
        state = FeedState.objects.filter(pk=feed).first()
        if state is not None and state.suspicion:
            accepted = "; the next answer is accepted" if state.accepted_at else ""
            self.stdout.write(f"  not believed since {state.suspected:%Y-%m-%d}: {state.suspicion}{accepted}")
