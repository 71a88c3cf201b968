"""The shapes of verdicts: each is next to its word, so color is never the only sign of a verdict.

A circle with a check, a diamond with an exclamation mark, a square with a question mark, an octagon with a
cross: they differ in any color. Called by templates and by the writer of pages.
"""

from django.utils.safestring import SafeString, mark_safe

from rules.engine.vocabulary import Verdict

OUTLINES: dict[Verdict, str] = {
    "allowed": '<circle cx="12" cy="12" r="11"/><path class="sign" d="M7 12.5l3.5 3.5 6.5-7.5"/>',
    "conditional": ('<path d="M12 .5L23.5 12 12 23.5.5 12z"/><path class="sign" d="M12 6.5v6.5M12 17v.01"/>'),
    "insufficient": (
        '<rect x="1" y="1" width="22" height="22" rx="3"/>'
        '<path class="sign" d="M8.7 9a3.3 3.3 0 1 1 4.6 3c-.9.4-1.3 1-1.3 2M12 18v.01"/>'
    ),
    "banned": (
        '<path d="M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z"/><path class="sign" d="M8 8l8 8M16 8l-8 8"/>'
    ),
}


def shape(verdict: Verdict) -> SafeString:
    """Return the shape of a verdict as an HTML element. Screen readers skip it and read the word."""
    return mark_safe(
        f'<svg class="shape {verdict}" viewBox="0 0 24 24" aria-hidden="true">{OUTLINES[verdict]}</svg>'
    )
