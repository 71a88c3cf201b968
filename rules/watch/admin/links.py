"""Links from other screens to the open signals of a page."""

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from catalog.editorial.screens.live_panels import LINK
from rules.watch.admin import words
from rules.watch.models import SignalKind, WatchSignal


def signal_links(signals: QuerySet[WatchSignal]) -> SafeString:
    """Return links to those signals that are open, one per line. One query."""
    now = timezone.now()
    return format_html_join(
        "",
        '<div><a class="{}" href="{}">{}</a>: {}, noticed {}</div>',
        [
            (
                LINK,
                reverse("admin:rules_watchsignal_change", args=[signal.pk]),
                words.KINDS[SignalKind(signal.kind)],
                signal.page.url,
                words.since(signal.opened, now),
            )
            for signal in signals.filter(outcome="").select_related("page").order_by("opened", "pk")
        ],
    )
