"""Who may try to sign in: limits for names that failed too often from one address, and for each address.

django-axes counts failures by name and address, for names that exist and names that do not. In addition, one
address has a limited number of wrong passwords over all names, because each costs a slow hash: whoever tries
name after name is stopped. Neither a right password counts there, nor a try for a name that is locked, which
costs no hash: one person locks no one else out. The address is the one that the API's limits use, so a forged
`X-Forwarded-For` has no effect.
"""

import ipaddress

from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest
from django.utils import timezone

from compliance.limits.addresses import NO_ADDRESS, client_network
from compliance.limits.cache import weighing
from compliance.limits.counting import count_address
from compliance.limits.rates import Rate, seconds_left

TRIES = Rate(30, 5 * 60)
"""How many wrong passwords one address has in how many seconds. A whole office may share one."""

_GROUP = "sign-in"


def client_address(request: HttpRequest) -> str | None:
    """Return the address of a client as django-axes can store it; None if it is not known."""
    network = client_network(request)
    return None if network == NO_ADDRESS else str(ipaddress.ip_network(network).network_address)


def named_in_logs(*_: object) -> str:
    """Return how django-axes names a client in the log. The line of the request has its id and its route."""
    return "a client"


def seconds_until_next_try(request: HttpRequest) -> int:
    """Count a try. Return 0, or how many seconds the address must wait after too many wrong ones.

    It counts before it is known to be wrong, so that many at once are no more than the limit.
    """
    usage = count_address(request, _GROUP, TRIES)
    return seconds_left(usage) if usage["should_limit"] else 0


def forget_unless_wrong(request: HttpRequest) -> None:
    """Take back the counted try of a request if its password was right, or was not looked at."""
    # django-axes sets it where it counts a failure, and leaves it out for a name that was locked before.
    if not getattr(request, "axes_failures_since_start", None):
        forget_try(request)


def forget_try(request: HttpRequest) -> None:
    """Take back the counted try of a request."""
    with weighing(-1):
        count_address(request, _GROUP, TRIES)


def locked_names() -> set[str]:
    """Return the names that are locked now, from at least one address."""
    return {name for name, _ in locks()}


def locks() -> set[tuple[str, str]]:
    """Return the locks of now: names, each with the address for which it is locked."""
    failures = (
        AccessAttempt.objects.filter(attempt_time__gt=timezone.now() - settings.AXES_COOLOFF_TIME)
        .order_by()
        .values_list("username", "ip_address")
        .annotate(failures=Sum("failures_since_start"))
    )
    limit = settings.AXES_FAILURE_LIMIT
    return {(name, address or "") for name, address, count in failures if count >= limit}
