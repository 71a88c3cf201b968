"""Is this the page, or something in front of it: a demand for JavaScript, a captcha, a refusal?

A wall is short and says what it is. A page that says anything of batteries is never one, and neither is a
long page, whatever words stand in it.
"""

import re

from rules.watch.text.batteries import gives_a_limit, speaks_of_batteries
from rules.watch.text.unreadable import Unreadable

_WALL = re.compile(
    r"enable (?:java\s?script|cookies)|requires java\s?script"
    r"|java\s?script (?:is|must be|has been) (?:disabled|enabled|required)"
    r"|access (?:is |to this (?:page|site) )?(?:has been )?denied|403 forbidden"
    r"|request (?:was |has been )?(?:blocked|rejected)|pardon our interruption|incident id"
    r"|(?:are you|you are|you're) (?:not )?a (?:robot|human)|verify(?:ing)? (?:that )?you are|captcha"
    r"|checking your browser|just a moment|security check|unusual (?:traffic|activity)"
    r"|(?:[开開]启|[启啟]用)\s?javascript|[访訪][问問]被拒|安全验证|JavaScriptを有効|자바스크립트",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"_Incapsula_Resource|cf-chl|challenge-platform|px-captcha|captcha-delivery\.com|g-recaptcha|hcaptcha|sec-cpt",
    re.IGNORECASE,
)
_SHORT = 1_000
_NOTHING = 40
_LITTLE = 200
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def refuse_walls(text: str, markup: str) -> None:
    """Let a page's text pass.

    Raises:
        Unreadable: `bot_wall` or `no_text`.
    """
    length = sum(map(str.isalnum, text[:4096])) + 2 * len(_WIDE.findall(text[:4096]))
    about = gives_a_limit(text) or speaks_of_batteries(text)
    if not about and length < _SHORT and (_WALL.search(text) or _MARKUP.search(markup)):
        raise Unreadable("bot_wall")
    if length < _NOTHING or (length < _LITTLE and not about):
        raise Unreadable("bot_wall" if length < _LITTLE and _WALL.search(markup) else "no_text")
