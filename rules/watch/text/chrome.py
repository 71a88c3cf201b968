"""Which elements hold what every page of a site has: menus, banners, footers, cookie dialogs.

Only an element that says so itself, by its name, its role, or one of a few names that sites give such parts.
"""

import re
from collections.abc import Mapping

_TAGS = frozenset({"nav", "footer", "header", "aside"})
_TAGS_IN_MAIN = frozenset({"nav"})
_ROLES = frozenset({"banner", "complementary", "contentinfo", "menu", "menubar", "navigation", "search"})
_NAMES = re.compile(
    r"(?:^|\s)(?:(?:site|page|global|main|top|primary)[-_]?)?(?:header|footer|nav|navbar|navigation|menu)(?:$|\s)"
    r"|(?:^|\s)(?:cookie|onetrust|truste|usercentrics|gdpr)[-_a-z0-9]*(?:$|\s)"
    r"|(?:^|\s)(?:breadcrumbs?|skip-?(?:link|nav|to-content)|social-?(?:share|links|media)|share-?(?:bar|buttons|links))(?:$|\s)",
    re.IGNORECASE,
)
_NEVER = frozenset({"html", "body", "main", "article", "table", "tbody", "thead", "tr", "td", "th", "h1"})


_CONSENT = re.compile(
    r"(?:^|\s)(?:cookie|onetrust|usercentrics)[-_]?(?:banner|bar|consent|notice|popup|sdk)", re.IGNORECASE
)
_IN_MAIN = frozenset({"menubar", "navigation", "search"})
_LONGEST = 400


def is_chrome(tag: str, attributes: Mapping[str, str], *, in_main: bool) -> bool:
    """Tell whether an element holds what belongs to the site; in the main part only what says so plainly."""
    if tag in _NEVER:
        return False
    if tag in (_TAGS_IN_MAIN if in_main else _TAGS):
        return True
    if not attributes:
        return False
    if attributes.get("role") in (_IN_MAIN if in_main else _ROLES):
        return True
    names = _CONSENT if in_main else _NAMES
    return any(names.search(attributes.get(name, "")[:_LONGEST]) for name in ("id", "class"))
