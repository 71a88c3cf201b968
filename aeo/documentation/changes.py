"""The changes of the contract by day, from the changelog."""

import re

HEAD = """\
# Changes of the contract

What changed for programs, newest first, by day. Version 1.0.0 of the contract is not released yet: until then
it grows, and meanings may change. From then on fields, codes and addresses may still be added at any time;
nothing is removed and nothing changes its meaning without a new major version.
"""

_CONTRACT = re.compile(r"^### Contract\n(.+?)(?=^#{2,3} |\Z)", re.DOTALL | re.MULTILINE)
_DAY = re.compile(r"^#### (?=\d{4}-\d{2}-\d{2}$)", re.MULTILINE)


def dated(changelog: str) -> str:
    """Return the parts of a changelog about the contract as a document, with a heading for each day."""
    parts = "\n".join(part.strip("\n") + "\n" for part in _CONTRACT.findall(changelog))
    return f"{HEAD}\n{_DAY.sub('## ', parts)}"
