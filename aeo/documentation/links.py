"""The links of a text in Markdown, rewritten. Code is left as it is."""

import re
from collections.abc import Callable

_PARTS = re.compile(
    r"(?P<code>^```.*?^```$|`[^`\n]+`(?!\]))|\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])+)\]\((?P<url>[^()\s]+)\)",
    re.DOTALL | re.MULTILINE,
)


def rewritten(text: str, place: Callable[[str], str | None]) -> str:
    """Return a text whose links lead where `place` says; of a link without a place only its words remain."""

    def write(found: re.Match[str]) -> str:
        if found["code"]:
            return found[0]
        url = place(found["url"])
        return found["text"] if url is None else f"[{found['text']}]({url})"

    return _PARTS.sub(write, text)
