"""The text of a PDF file, read in a process of its own: a hostile file can neither hang nor fill this one.

The child (`pdf_child.py`) limits its own memory and processor time before it reads a byte.
"""

from importlib.metadata import version
from pathlib import Path

from catalog.children import TookTooLong, run
from rules.watch.text.paragraphs import paragraphs_of
from rules.watch.text.unreadable import Unreadable

PDF_EXTRACTOR = f"pypdf-{version('pypdf')}+1"
PDF_SECONDS = 20
"""How much processor time a PDF file may take, and half of the elapsed time that it may take."""

PAGE_BREAK = "\f"
"""What the child writes between two pages."""

_CHILD = Path(__file__).with_name("pdf_child.py")


def pdf_text(body: bytes, seconds: int = PDF_SECONDS) -> str:
    """Return the text of a PDF file, one paragraph per line.

    Raises:
        Unreadable: it is damaged or locked, or takes too much time or memory.
    """
    try:
        child = run(_CHILD, str(seconds), body=body, seconds=2 * seconds)
    except TookTooLong:
        raise Unreadable("took_too_long") from None
    if child.returncode == 3:
        raise Unreadable("broken_pdf")
    if child.returncode:
        raise Unreadable("took_too_long")
    return paragraphs_of(child.stdout.decode("utf-8", "replace").split(PAGE_BREAK))
