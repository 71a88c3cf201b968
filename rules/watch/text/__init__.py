"""What a page says: its text, a fingerprint of that text, quotes in it, and how two texts differ.

Pure: bytes and texts in, values out; no Django, no settings, no network, no clock. Called by the source
watch, which fetches pages and keeps what they said, and by the screen that shows an editor what changed.
`docs/evidence-watch.md` describes what counts as a change.
"""

from rules.watch.text.differences import Row, side_by_side
from rules.watch.text.extracting import Extracted, extract
from rules.watch.text.fingerprints import fingerprint
from rules.watch.text.marking import Run
from rules.watch.text.quotes import occurs_in
from rules.watch.text.unreadable import Unreadable, UnreadableReason

__all__ = [
    "Extracted",
    "Row",
    "Run",
    "Unreadable",
    "UnreadableReason",
    "extract",
    "fingerprint",
    "occurs_in",
    "side_by_side",
]
