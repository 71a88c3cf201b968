"""Makes of an uploaded picture one that is safe to keep and to show: small, JPEG, and only its pixels."""

from pathlib import Path

from catalog.children import TookTooLong, run

MAX_BYTES = 10 * 1024 * 1024
SECONDS = 30
"""How long it may take."""

_CHILD = Path(__file__).with_name("cleaning_child.py")
_REFUSED = 3
_TOO_MUCH = "Reading the picture takes too much time or memory; send a smaller one."


class UnreadablePicture(ValueError):
    """Bytes of which no picture can be made. The text gives the reason in one sentence."""


def cleaned(content: bytes) -> bytes:
    """Return a picture as JPEG, with edges of at most 2,000 pixels. Raises `UnreadablePicture`."""
    if len(content) > MAX_BYTES:
        raise UnreadablePicture(f"The picture is larger than {MAX_BYTES // 1024 // 1024} MB.")
    try:
        child = run(_CHILD, body=content, seconds=SECONDS)
    except TookTooLong:
        raise UnreadablePicture(_TOO_MUCH) from None
    if child.returncode == _REFUSED:
        raise UnreadablePicture(child.stderr.decode("utf-8", "replace"))
    if child.returncode:
        raise UnreadablePicture(_TOO_MUCH)
    return child.stdout
