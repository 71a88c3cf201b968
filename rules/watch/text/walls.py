"""Whether this is the page, or something in front of it: a demand for JavaScript, a captcha, a refusal.

A wall is short and says what it is. A page that says anything about batteries is never a wall, and neither is
a long page, whatever words it contains. The address that a refusal repeats does not count as text.
"""

import re

from rules.watch.text.batteries import gives_a_limit, speaks_of_batteries
from rules.watch.text.spacing import WIDE
from rules.watch.text.unreadable import Unreadable

_WALL = re.compile(
    r"enable (?:java\s?script|cookies)|requires java\s?script"
    r"|java\s?script (?:is|must be|has been) (?:disabled|enabled|required)"
    r"|access (?:is |to this (?:page|site) )?(?:has been |was )?denied|403 forbidden"
    r"|request (?:was |has been )?(?:blocked|rejected)|pardon our interruption|incident id"
    r"|(?:are you|you are|you're) (?:not )?a (?:robot|human)|captcha|unusual (?:traffic|activity)"
    r"|checking (?:your browser|if the site connection)|^just a moment"
    r"|(?:[开開]启|[启啟]用)\s?javascript|[访訪][问問]被拒|安全验证|JavaScriptを有効|자바스크립트",
    re.IGNORECASE | re.MULTILINE,
)
_MARKUP = re.compile(
    r"_Incapsula_Resource|_cf_chl|challenge-platform|px-captcha|captcha-delivery\.com|sec-if-cpt",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\S{0,400}(?:://|www\.|/\S{1,100}/)\S*")
_WIDE = re.compile(f"[{WIDE}]")

_BEGINNING = 16_384
_SHORT = 500
_LITTLE = 200
_NOTHING = 20


def says_nothing(text: str) -> bool:
    """Return whether a text has almost no letters, or few and none of them about batteries."""
    length = _length(text)
    return length < _NOTHING or (length < _LITTLE and not _about_batteries(text))


def refuse_walls(text: str, markup: str) -> None:
    """Accept the text of a page.

    Raises:
        Unreadable: `bot_wall` or `no_text`.
    """
    if _length(text) < _SHORT and not _about_batteries(text) and _WALL.search(text):
        raise Unreadable("bot_wall")
    if says_nothing(text):
        beginning = markup[:_BEGINNING]
        raise Unreadable("bot_wall" if _WALL.search(beginning) or _MARKUP.search(beginning) else "no_text")


def _length(text: str) -> int:
    """How many letters the beginning of a text has; a Chinese character counts as three."""
    beginning = text[:_BEGINNING]
    return sum(map(str.isalnum, beginning)) + 2 * len(_WIDE.findall(beginning))


def _about_batteries(text: str) -> bool:
    said = _ADDRESS.sub(" ", text[:_BEGINNING])
    return gives_a_limit(said) or speaks_of_batteries(said)
