"""What a case may contain, and reading it strictly, from a file or from fields."""

import datetime
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import yaml

from catalog.records import Record
from recalls.serials import RecallCheckMethod, RecallStatus
from rules.cases.given import Given, Quantity, Ref, objections
from rules.engine.outcomes import Because
from rules.engine.vocabulary import MAX_ITEMS, Verdict
from rules.engine.weighing import Gap

DIRECTORY = Path(__file__).parent
"""The folder of the project's case files."""


Name = Annotated[str, msgspec.Meta(min_length=1, max_length=280, pattern=r"^\S(.*\S)?\Z")]
"""The sentence of a case, in one line."""
FileName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*\.yaml\Z", max_length=85)]
Note = Annotated[str, msgspec.Meta(max_length=2_000)]
Code = Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
Codes = Annotated[tuple[Code, ...], msgspec.Meta(max_length=60)]
Kept = Annotated[tuple[tuple[Ref, Quantity, Because], ...], msgspec.Meta(max_length=3 * MAX_ITEMS)]
Shares = Annotated[tuple[tuple[Ref, Quantity], ...], msgspec.Meta(max_length=MAX_ITEMS)]


class CaseError(ValueError):
    """A case that cannot be read; the message names the file, the case and the reason."""


class Expect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The expected answer: each listed name is in it, no name of a `no_` list is.

    `path` names rules in the expected order. `lookup` is an address that the answer must point to for a
    recall, `change_on` the day of an announced change of rules. In a trip or an itinerary, what is listed may
    come from any segment. Of an itinerary, `stays` and `may_travel` name all units of the packing.
    """

    verdict: Verdict | None = None
    error: Literal["MODEL_NOT_FOUND", "AIRLINE_NOT_COVERED", "UNKNOWN_COUNTRY"] | None = None
    segments: tuple[Verdict | Literal["AIRLINE_NOT_COVERED"], ...] | None = None
    gaps: tuple[Gap, ...] = ()
    constraints: Codes = ()
    no_constraints: Codes = ()
    first_constraint: Code | None = None
    warnings: Codes = ()
    no_warnings: Codes = ()
    path: Codes = ()
    no_path: Codes = ()
    recall_status: RecallStatus | None = None
    recall_check_method: RecallCheckMethod | None = None
    lookup: Annotated[str, msgspec.Meta(max_length=500)] | None = None
    change_on: datetime.date | None = None
    stays: Kept | None = None
    may_travel: Shares | None = None


class Case(Record, frozen=True, kw_only=True):
    """A sentence, its question and its expected answer.

    `file` is the name of its file, and `note` what a colleague has to know who wants to change it: evidence,
    and what changed on which day.
    """

    file: FileName
    name: Name
    note: Note = ""
    given: Given
    expect: Expect


def case_of(fields: Mapping[str, Any]) -> Case:
    """Return a case of its fields, as plain values. Raises `CaseError` with the reason alone."""
    try:
        case = msgspec.convert(fields, type=Case, strict=False)
    except msgspec.ValidationError as error:
        raise CaseError(str(error)) from error
    for objection in (*objections(case.given), *_about_expect(case)):
        raise CaseError(objection)
    return case


def load_cases(directory: Path = DIRECTORY) -> tuple[Case, ...]:
    """Read every case of a directory, in the order of files and lines.

    Raises `CaseError` for a file or a case that cannot be read, and for a name that occurs twice.
    """
    for path in sorted(directory.glob("*.yml")):
        raise CaseError(f"{path.name}: case files end in .yaml, so this one would never be run")
    cases = [case for path in sorted(directory.glob("*.yaml")) for case in _of_file(path)]
    if not cases:
        raise CaseError(f"{directory}: holds no case files")
    files: dict[str, str] = {}
    for case in cases:
        if case.name in files:
            raise CaseError(f"{case.file}, “{case.name}”: a case of {files[case.name]} already has this name")
        files[case.name] = case.file
    return tuple(cases)


def cases_in(file: str, text: str) -> tuple[Case, ...]:
    """Return the cases of the text of a file. Raises `CaseError`, also for text that is no YAML."""
    return tuple(_of_text(file, text))


def _of_file(path: Path) -> Iterator[Case]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(f"{path.name}: cannot be read: {error}") from error
    yield from _of_text(path.name, text)


def _of_text(file: str, text: str) -> Iterator[Case]:
    try:
        # The base loader keeps every scalar as text, so that Norway (NO) is not a boolean, 0123 not an octal
        # number and 99.9 not a float. Each field then converts the text to its own type.
        document = yaml.compose(text, Loader=yaml.CBaseLoader)
    except yaml.YAMLError as error:
        raise CaseError(f"{file}: cannot be read: {error}") from error
    if not isinstance(document, yaml.SequenceNode) or not document.value:
        raise CaseError(f"{file}: is not a list of cases")
    for node in document.value:
        yield _case(file, f"{file}, line {node.start_mark.line + 1}", node)


def _case(file: str, where: str, node: yaml.Node) -> Case:
    row = _plain(node, where)
    name = row.get("name") if isinstance(row, dict) else None
    if not isinstance(name, str) or not name.strip():
        raise CaseError(f"{where}: the case has no name")
    where = f"{where}, “{name}”"
    for key in sorted(row.keys() - {"name", "note", "given", "expect"}):
        raise CaseError(f"{where}: `{key}` is none of `name`, `note`, `given` and `expect`")
    try:
        return case_of({**row, "file": file})
    except CaseError as error:
        raise CaseError(f"{where}: {error}") from error


def _plain(node: yaml.Node, where: str) -> Any:
    """Return a YAML node as dicts, lists and text. Of two equal keys YAML itself would drop the first."""
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, where) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Any] = {}
        for key, value in node.value:
            if key.value in mapping:
                raise CaseError(f"{where}: `{key.value}` is given twice")
            mapping[key.value] = _plain(value, where)
        return mapping
    return node.value


def _about_expect(case: Case) -> Iterator[str]:
    expect, flights = case.expect, case.given.flights()
    is_itinerary = case.given.items is not None
    if (expect.verdict is None) == (expect.error is None):
        yield "expects neither or both of `verdict` and `error`"
    if expect.error is not None and expect != Expect(error=expect.error):
        yield "expects an `error`, so there is no answer to expect more of"
    if expect.first_constraint is not None and len(flights) > 1:
        yield "is a trip; each segment has a first constraint of its own, so `first_constraint` says nothing"
    if expect.segments is not None and len(flights) == 1 and not is_itinerary:
        yield "is a single leg, so it has no `segments`"
    elif expect.segments is not None and len(expect.segments) != len(flights):
        yield f"expects {len(expect.segments)} segments of a trip that has {len(flights)}"
    if (expect.stays is None) != (expect.may_travel is None):
        yield "`stays` and `may_travel` go together: every unit is in one of them, or cannot be judged"
    elif not is_itinerary and expect.stays is not None:
        yield "is no itinerary, so it has neither `stays` nor `may_travel`"
