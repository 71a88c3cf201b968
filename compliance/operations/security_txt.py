"""GET /.well-known/security.txt (RFC 9116): where to report a weakness of this service.

It exists only if SECURITY_CONTACT is set. It is valid for three months from the day on which it is read: the
operator of the service answers for it as long as it is served.
"""

import datetime

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

GOOD_FOR = datetime.timedelta(days=90)

TEXT = """\
Contact: {contact}
Expires: {expires:%Y-%m-%dT00:00:00Z}
Preferred-Languages: en
Canonical: {site}/.well-known/security.txt
"""


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Return the file."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = timezone.now() + GOOD_FOR
    text = TEXT.format(contact=settings.SECURITY_CONTACT, expires=expires, site=settings.SITE_URL)
    return HttpResponse(
        text, content_type="text/plain; charset=utf-8", headers={"Cache-Control": "max-age=86400"}
    )
