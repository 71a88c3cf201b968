"""Who may try to sign in: limits for names that failed too often from one address, and for each address.

django-axes counts failures by name and address, for names that exist and names that do not. In addition, one
address has a limited number of tries over all names, because every try costs a slow hash. The address is the
one that the API's limits use, so a forged `X-Forwarded-For` has no effect.
"""

import ipaddress

from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest
from django.utils import timezone
from django_ratelimit.core import get_usage

from compliance.limits.addresses import NO_ADDRESS, client_network
from compliance.limits.rates import seconds_left

TRIES = (30, 5 * 60)
"""How many tries one address has in how many seconds. A whole office may share one."""


def client_address(request: HttpRequest) -> str | None:
    """Return the address of a client as django-axes can store it; None if it is not known."""
    network = client_network(request)
    return None if network == NO_ADDRESS else str(ipaddress.ip_network(network).network_address)


def seconds_until_next_try(request: HttpRequest) -> int:
    """Count a try to sign in. Return 0, or how many seconds the address must wait after too many tries."""
    usage = get_usage(
        request, group="sign-in", key=lambda *_: client_network(request), rate=TRIES, increment=True
    )
    return seconds_left(usage) if usage["should_limit"] else 0


def locked_names() -> set[str]:
    """Return the names that are locked now, from at least one address."""
    failures = (
        AccessAttempt.objects.filter(attempt_time__gt=timezone.now() - settings.AXES_COOLOFF_TIME)
        .order_by()
        .values("username", "ip_address")
        .annotate(failures=Sum("failures_since_start"))
    )
    return {row["username"] for row in failures if row["failures"] >= settings.AXES_FAILURE_LIMIT}
