r"""The patterns of recalls: a closed syntax, in which all regular expression engines agree.

The service matches patterns with RE2, this program with Python's `re`. They agree on literal characters,
classes of characters, `\d`, `.`, groups, alternatives, repetition, `^` and `$`. Any other pattern is
refused.
"""

import re

_LITERAL = r"[A-Za-z0-9 _/:,;#%&=@<>!'\"~-]|\\[.\\/()\[\]{}|*+?^$-]|[^\x00-\x7f]"
_IN_CLASS = r"(?:[A-Za-z0-9](?:-[A-Za-z0-9])?|\\d|\\[.\\/()\[\]{}|*+?^$-]|[ _/.:#])"
_ATOM = rf"(?:{_LITERAL}|\\d|\.|\[\^?{_IN_CLASS}+-?\])"
_TIMES = r"(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??"
_TOKENS = re.compile(rf"(?:\^|\$|\||\((?:\?:)?|\)(?:{_TIMES})?|{_ATOM}(?:{_TIMES})?)*")


class UnknownSyntax(ValueError):
    """A pattern that two engines could read differently."""


def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, ready to match. Raises `UnknownSyntax`."""
    if not _TOKENS.fullmatch(pattern):
        raise UnknownSyntax(f"the pattern `{pattern}` uses syntax that this program does not know")
    try:
        return re.compile(pattern, re.ASCII)
    except re.error as error:
        raise UnknownSyntax(f"the pattern `{pattern}` cannot be read: {error}") from error
