"""`Accept-Signature` (RFC 9421): a caller asks for a signature on the answer's message.

The signature covers the bytes of the answer as they are sent, by `Content-Digest`. So they have to stay as
they are until they reach the reader, whose HTTP library may show only what a coding contains: such an answer
is sent without a coding, and `no-transform` says so to everything on its way.
"""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from compliance.api.protocol.digests import FIELD as DIGEST
from compliance.api.protocol.digests import content_digest, is_checked
from compliance.api.protocol.errors import ApiError, FieldError
from compliance.records.receipts.keyring import keyring
from compliance.records.receipts.message_signatures import CannotSign, Wanted, wanted

ASK = "Accept-Signature"
INPUT, SIGNATURE = "Signature-Input", "Signature"
AS_IT_IS = "no-store, no-transform"

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


def wanted_signatures(request: HttpRequest) -> tuple[Wanted, ...]:
    """Return the signatures that a request asks for; none if this installation has no key.

    Raises `ApiError` for those that cannot be made as they are asked for.
    """
    asked = request.META.get("HTTP_ACCEPT_SIGNATURE")
    if asked is None or (signer := keyring().signer) is None:
        return ()
    try:
        found = wanted(asked, signer.key.public.kid)
        if not is_checked(request.META.get("HTTP_CONTENT_DIGEST", "")):
            raise CannotSign(
                f"The request needs {DIGEST} with sha-256 or sha-512, so that the signature can cover it."
            )
    except CannotSign as error:
        raise _refused(error) from None
    return found


def put_signatures(request: HttpRequest, response: HttpResponse, signatures: tuple[Wanted, ...]) -> None:
    """Sign an answer that is about to be sent, as it was asked for. Raises `ApiError`."""
    if not signatures or (signer := keyring().signer) is None:
        return
    response.headers["Cache-Control"] = AS_IT_IS
    response.headers[DIGEST] = content_digest(response.content)
    values = _of_answer(response) | _of_request(request)
    created = int(timezone.now().timestamp())
    try:
        fields = [one.fields(values, signer.key, created) for one in signatures]
    except CannotSign as error:
        raise _refused(error) from None
    response.headers[INPUT] = ", ".join(stated for stated, _ in fields)
    response.headers[SIGNATURE] = ", ".join(signature for _, signature in fields)


def _of_answer(response: HttpResponse) -> dict[str, str]:
    return {
        '"@status"': str(response.status_code),
        '"content-digest"': response.headers[DIGEST],
        '"content-type"': response.headers["Content-Type"],
    }


def _of_request(request: HttpRequest) -> dict[str, str]:
    """Return the components of the request, in the normal form of RFC 9421, section 2.2."""
    meta, scheme = request.META, request.scheme or ""
    authority = request.get_host().lower().removesuffix(_DEFAULT_PORTS.get(scheme, ""))
    query = meta.get("QUERY_STRING", "")
    target = request.path + (f"?{query}" if query else "")
    values: Mapping[str, str] = {
        "@method": request.method or "",
        "@target-uri": f"{scheme}://{authority}{target}",
        "@authority": authority,
        "@scheme": scheme,
        "@request-target": target,
        "@path": request.path,
        "@query": f"?{query}",
        "content-digest": meta.get("HTTP_CONTENT_DIGEST", "").strip(" \t"),
        "content-type": meta.get("CONTENT_TYPE", "").strip(" \t"),
    }
    return {f'"{name}";req': value for name, value in values.items() if _is_one_line(value)}


def _is_one_line(value: str) -> bool:
    """Return whether a value can be a line of what is signed: plain text, perhaps with tabs."""
    return value.isascii() and value.replace("\t", " ").isprintable()


def _refused(error: CannotSign) -> ApiError:
    why = f"No such signature is made. {error} Without `{ASK}`, the request is answered unsigned."
    return ApiError("VALIDATION_ERROR", why, [FieldError(ASK, "cannot_be_signed", why)])
