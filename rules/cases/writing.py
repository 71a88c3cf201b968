"""Writes cases as the files that `reading` reads: the same cases always give the same bytes."""

from collections.abc import Iterable
from typing import Any

import yaml
from yaml.emitter import Emitter
from yaml.representer import SafeRepresenter
from yaml.resolver import BaseResolver
from yaml.serializer import Serializer

from rules.cases.accepting import said
from rules.cases.reading import Case

WIDTH = 110


class _Flow(dict[str, Any]):
    """A mapping that is written on one line, between braces."""


class _Dumper(Emitter, Serializer, SafeRepresenter, BaseResolver):
    """Writes every scalar as text, as the reader takes it: `NO` and `0123` need no quotes."""

    def __init__(self, stream: Any, *, width: int, **_: Any) -> None:
        Emitter.__init__(self, stream, width=width, allow_unicode=True)
        Serializer.__init__(self)
        SafeRepresenter.__init__(self, default_flow_style=False, sort_keys=False)
        BaseResolver.__init__(self)

    def ignore_aliases(self, data: Any) -> bool:
        """Write what is there twice two times."""
        return True


_Dumper.add_representer(
    _Flow, lambda dumper, data: dumper.represent_mapping(BaseResolver.DEFAULT_MAPPING_TAG, data, True)
)
_Dumper.add_representer(
    list, lambda dumper, data: dumper.represent_sequence(BaseResolver.DEFAULT_SEQUENCE_TAG, data, True)
)


def as_files(cases: Iterable[Case]) -> dict[str, str]:
    """Return the text of each file by its name, with its cases in the given order."""
    files: dict[str, list[Case]] = {}
    for case in cases:
        files.setdefault(case.file, []).append(case)
    return {name: "\n".join(map(_as_text, of_file)) for name, of_file in sorted(files.items())}


def _as_text(case: Case) -> str:
    row = {
        "name": case.name,
        **({"note": case.note} if case.note else {}),
        "given": _fitting("given", said(case.given)),
        "expect": _fitting("expect", said(case.expect)),
    }
    first, *others = _dumped(row).splitlines()
    return "\n".join([f"- {first}", *(f"  {line}" if line else "" for line in others), ""])


def _fitting(key: str, part: dict[str, Any]) -> dict[str, Any]:
    """Return a part as it is written: on one line if it fits, otherwise with a line for each field."""
    texts = _texts(part)
    return texts if _dumped({key: texts}).count("\n") == 1 else dict(texts)


def _dumped(row: dict[str, Any]) -> str:
    text: str = yaml.dump_all([row], Dumper=_Dumper, width=WIDTH - 2)
    return text


def _texts(value: Any) -> Any:
    """Return plain values with every scalar as text."""
    if isinstance(value, dict):
        return _Flow({name: _texts(one) for name, one in value.items()})
    return [_texts(one) for one in value] if isinstance(value, list | tuple) else str(value)
