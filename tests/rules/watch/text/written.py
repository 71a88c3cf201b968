"""Pages as airlines and regulators write them, and edits that change nothing: for property tests."""

import re
import string
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

_PATTERNS = [
    "Power banks of up to {n} Wh travel in the cabin only.",
    "Each passenger may carry {w} spare batteries above {n} Wh with our approval.",
    "You {m} charge a device from a power bank during the flight.",
    "Lithium metal cells hold at most {n} grams.",
    "Up to {n} Wh | {y} | {y2}",
    "More than {n} Wh | | {y}",
    "Smart bags: the battery {m} be removed at the gate!",
    "Cover the terminals - or use a separate bag ({w} for each battery).",
    "From {n} March 2027 power banks {m} be kept overhead.",
    "Terminals {m} touch \"metal\" objects",
    "旅客はモバイルバッテリーを{n}個まで持ち込めます。",
    "{n}Wh以下のもの | {o} | {o2}",
    "每名旅客最多携带{n}个充电宝,超过{n}Wh的禁止携带。",
    "보조배터리는 1인당 {n}개까지 {m2} 반입할 수 있습니다.",
    "Powerbanks bis {n} Wh sind {m3} Handgepäck erlaubt.",
    "Les batteries de plus de {n} Wh sont {m4}.",
]  # fmt: skip

_CHOICES = {
    "w": ["two", "one", "twenty", "no"],
    "m": ["must", "must not", "may", "may not"],
    "y": ["Yes", "No", "With approval"],
    "y2": ["Yes", "No", "✓", "✗"],
    "o": ["○", "×", "△"],
    "o2": ["○", "×"],
    "m2": ["객실에", "수하물로"],
    "m3": ["nur im", "nicht im"],
    "m4": ["interdites", "autorisées"],
}

NOISE_LINES = [
    "Last updated: 3 June 2026",
    "Last updated on 03/06/2026 at 10:15",
    "Page updated 2026-06-03",
    "1,204 views",
    "阅读 3.2万",
    "4 min read",
    "Share this page",
    "Follow us on Instagram",
    "We use cookies to make our site work.",
    "Accept all cookies",
    "クッキーを使用しています。",
    "本网站使用Cookie以改善体验。",
    "Was this page helpful? Yes / No",
    "최종 수정일: 2026. 6. 3.",
    "更新日：2026年6月3日",
    "",
    "  \u200b ",
]


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """A line that says something about batteries."""
    figure = draw(st.one_of(st.integers(1, 400).map(str), st.sampled_from(["26,800", "2.5", "0.3", "32000"])))
    chosen = {name: draw(st.sampled_from(options)) for name, options in _CHOICES.items()}
    return draw(st.sampled_from(_PATTERNS)).format(n=figure, **chosen)


PAGES = st.lists(sentences(), min_size=1, max_size=6, unique=True)

_WIDE = str.maketrans(
    string.digits + string.ascii_letters,
    "".join(chr(ord(one) + 0xFEE0) for one in string.digits + string.ascii_letters),
)
_SPACES = ["  ", "\u00a0", "\u202f", " \u3000", "\t", "\n"]
Draw = Callable[[st.SearchStrategy[Any]], Any]

_INVISIBLE = ["\u00ad", "\u200b", "\ufeff", "\u2060"]


def _quotes(line: str, draw: Draw) -> str:
    return line.replace('"', draw(st.sampled_from("\u201c\u201d\u00ab")))


def _dashes(line: str, draw: Draw) -> str:
    return line.replace("-", draw(st.sampled_from("\u2010\u2013\u2014\u2212")))


def _spaces(line: str, draw: Draw) -> str:
    # No line break before a dash: a line that begins with one is an item of a list, which a sentence is not.
    return re.sub(
        " (?=([-\u2010\u2013\u2014\u2212] )?)",
        lambda found: draw(st.sampled_from(_SPACES[: -1 if found[1] else None])),
        line,
        count=2,
    )


def _invisible(line: str, draw: Draw) -> str:
    position = draw(st.integers(0, len(line)))
    return line[:position] + draw(st.sampled_from(_INVISIBLE)) + line[position:]


def _width(line: str, _: Draw) -> str:
    return line.translate(_WIDE)


def _bullet(line: str, _: Draw) -> str:
    return f"• {line}"


def _unit_spaces(line: str, draw: Draw) -> str:
    return line.replace(" Wh", draw(st.sampled_from(["Wh", "\u00a0Wh"])))


_EDITS = [_quotes, _dashes, _spaces, _invisible, _width, _bullet, _unit_spaces]


def cosmetically_edited(page: list[str], data: st.DataObject) -> str:
    """The same page after an edit that means nothing."""
    lines: list[str] = []
    for line in page:
        lines += data.draw(st.lists(st.sampled_from(NOISE_LINES), max_size=1))
        edited = line
        for edit in data.draw(st.lists(st.sampled_from(_EDITS), max_size=3)):
            edited = edit(edited, data.draw)
        lines.append(edited)
    return "\n".join([*lines, *data.draw(st.lists(st.sampled_from(NOISE_LINES), max_size=2))])


def words_of(line: str) -> list[str]:
    """The words and figures of a line."""
    return re.findall(r"\d[\d.,]*\d|\w+|[✓✗○×△]", line)
