"""GET /rulesets/<version>/proof.json: what the proof of a release states, with a receipt.

`rules.proof` makes the statement, which is canonical JSON. It is signed here, as verdicts are: by the keys of
the web processes. The statement of the current release is in memory, so it does not need the database.
"""

import hashlib

import rfc8785
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from aeo import editions
from aeo.web.caching import conditional, of_body, public
from compliance.records.receipts.attaching import put_statement_receipt
from rules.proof.selectors import Proof, newest_finished, statement_of_release
from rules.proof.statement import FORMAT
from rules.releases import selectors as releases


@public
def proof(request: HttpRequest, version: str) -> HttpResponseBase:
    """Return the statement, or that the proof is not finished. Raises `Http404` for an unknown release."""
    edition = editions.current(timezone.now())
    if version == edition.release.ruleset_version:
        found = newest_finished()
        found = found if found is not None and found.release == version else None
    elif releases.of_version(version) is not None:
        found = statement_of_release(version)
    else:
        raise Http404
    content = _content(version, found)

    def make() -> HttpResponse:
        response = HttpResponse(content, content_type="application/json")
        if found is not None:
            put_statement_receipt(response, content)
        return response

    return conditional(request, of_body(edition, hashlib.sha256(content).hexdigest()), make)


def _content(version: str, found: Proof | None) -> bytes:
    if found is not None:
        return found.statement.encode()
    return rfc8785.dumps({"format": FORMAT, "release": version, "state": "not_finished"})
