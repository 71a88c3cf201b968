"""The check of one unit in the browser: the data in the page, so that no serial leaves the browser.

The page contains the deciding parts of its recalls and every sentence that may be needed. A script
(`site/serial_check.js`) makes the form and decides in the same way as `recalls.serials`. Without a script,
the page says how else to check. Called by the pages of recalls and models, and by `aeo.pages.html`.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from aeo.pages import parts
from aeo.pages.record import CheckedRecall, Line, Link, SerialCheck
from aeo.texts import TEXTS, active, say
from aeo.web.assets import asset
from aeo.web.formatting import joined
from aeo.web.structured_data import embedded
from recalls.patterns import decides
from recalls.serials import AffectedSerials
from rules.engine.facts import Recall
from rules.wording.translating import SOURCE_LANGUAGE

FINDINGS = ("affected", "list", "unknown", "not_affected")


def serial_check(recalls: Sequence[Recall], *, others: bool = False) -> tuple[SerialCheck, ...]:
    """Return the check for some recalls of one model; empty if no identifier distinguishes units.

    `others` says that the model has more recalls than these.
    """
    return (SerialCheck(tuple(map(_checked, recalls)), others),) if has_check(recalls) else ()


def how_to_check(recall: Recall) -> Line:
    """Return how a unit is checked, with the maker's list if it has one."""
    said, url = joined(checks(recall.affected_serials)), recall.affected_serials.explicit_list_url
    return (said,) if url is None else (said, " ", Link(say("recall.makers_list"), url))


def checks(affected: AffectedSerials) -> Iterator[str]:
    """Yield how a unit is checked, as the engine does it."""
    if affected.scope == "all_units":
        yield say("recall.all")
        return
    identifier = _identifier(affected.identifier)
    if affected.pattern is not None:
        yield say("recall.pattern", identifier=identifier)
    if affected.explicit_list_url is not None:
        yield say("recall.list" if affected.pattern is None else "recall.list.after", identifier=identifier)
    if affected.pattern is None and affected.explicit_list_url is None:
        yield say("recall.nothing")


def _identifier(name: str) -> str:
    """Return what to read off a unit."""
    key = f"identifier.{name}"
    if key not in TEXTS and active() == SOURCE_LANGUAGE:
        return name.replace("_", " ")
    return say(key if key in TEXTS else "identifier.other")


def has_check(recalls: Iterable[Recall]) -> bool:
    """Tell whether an identifier distinguishes units in some recalls of one model."""
    affected = [recall.affected_serials for recall in recalls]
    return any(map(decides, affected)) and not any(one.scope == "all_units" for one in affected)


def _checked(recall: Recall) -> CheckedRecall:
    affected = recall.affected_serials
    return CheckedRecall(
        name=say("serial.recall", authority=recall.authority, date=parts.announced(recall)),
        identifier=affected.identifier,
        scope=affected.scope,
        pattern=affected.pattern,
        not_affected_pattern=affected.not_affected_pattern,
        exhaustive=affected.exhaustive,
        explicit_list_url=affected.explicit_list_url,
    )


def written(check: SerialCheck) -> str:
    """Return the check as HTML."""
    link = f'<a href="/api/docs/">{escape(say("serial.by_hand.api"))}</a>'
    return (
        '<div class="serial-check">\n'
        f'<p class="by-hand">{escape(say("serial.by_hand"))} {link}</p>\n'
        f'<script type="application/json">{embedded(_for_script(check))}</script>\n'
        f'<script type="module" src="{escape(asset("site/serial_check.js"))}"></script>\n'
        "</div>\n"
    )


def _for_script(check: SerialCheck) -> dict[str, Any]:
    identifiers = dict.fromkeys(recall.identifier for recall in check.recalls if recall.pattern is not None)
    return {
        "recalls": check.recalls,
        "fields": [{"identifier": one, "label": _label(one)} for one in identifiers],
        "findings": {
            one: {"word": say(f"serial.{one}"), "sentence": _sentence(one, check)} for one in FINDINGS
        },
        "button": say("serial.button"),
        "privacy": say("serial.privacy"),
        "empty": say("serial.empty"),
    }


def _label(identifier: str) -> str:
    key = f"serial.label.{identifier}"
    return say(key if key in TEXTS else "serial.label.other")


def _sentence(finding: str, check: SerialCheck) -> str:
    if finding == "not_affected" and check.others:
        return say("serial.not_affected.others")
    return say(f"serial.{finding}.sentence")
