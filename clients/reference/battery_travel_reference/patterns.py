r"""The patterns of recalls: a closed syntax, in which all regular expression engines agree.

The service matches patterns with RE2, this program with Python's `re`. They agree on characters, escaped
punctuation, classes, `.`, groups, alternatives, repetition, `^` and `$`, and, for identifiers without white
space, on `\d`, `\w`, `\s` and their opposites. Any other pattern is refused.
"""

import re

_ESCAPE = r"\\[!-/:-@\[-`{-~ ]"
_KIND = r"\\[dDwWsS]"
_PLAIN = r"[^\\^$.|?*+()\[\]{}\x00-\x1f\x7f]"
_TIMES = r"(?:(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??)?"
_TOKEN = re.compile(rf"(?:{_ESCAPE}|{_KIND}|{_PLAIN}|\.|\)){_TIMES}|\((?:\?:)?|\||\^|\$")

_IN_CLASS = rf"(?:{_ESCAPE}|[^\\\[\]\x00-\x1f\x7f])"
_CLASS = re.compile(rf"\[(\^?)((?:{_KIND}|{_IN_CLASS})+)\]({_TIMES})")
_ITEM = re.compile(rf"(?P<kind>{_KIND})|(?P<first>{_IN_CLASS})(?:-(?P<last>{_IN_CLASS}))?")


class UnknownSyntax(ValueError):
    """A pattern that two engines could read differently."""


def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, ready to match. Raises `UnknownSyntax`."""
    at, tokens = 0, []
    while at < len(pattern):
        if found := _CLASS.match(pattern, at):
            tokens.append(f"[{found[1]}{_items(found[2])}]{found[3]}")
        elif found := _TOKEN.match(pattern, at):
            tokens.append(found[0])
        else:
            raise UnknownSyntax(f"the pattern `{pattern}` uses syntax that this program does not know")
        at = found.end()
    try:
        return re.compile("".join(tokens), re.ASCII)
    except re.error as error:
        raise UnknownSyntax(f"the pattern `{pattern}` cannot be read: {error}") from error


def _items(inside: str) -> str:
    """Return the items of a class, with each character escaped: some engines read `&&` as an operation."""
    written = []
    for item in _ITEM.finditer(inside):
        if item["first"] == "-" and item["last"] is None and item.start() > 0 and item.end() < len(inside):
            raise UnknownSyntax("`-` is between two characters of a class or at its ends")
        ends = [one if one.startswith("\\") else re.escape(one) for one in item.groups()[1:] if one]
        written.append(item["kind"] or "-".join(ends))
    return "".join(written)
