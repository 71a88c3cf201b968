"""/compare/<code>-<code>: the policies of two to four airlines side by side.

A row whose values differ says so, and the strictest of its values is marked. What is not known is never the
strictest and never the mildest; a refusal that leaves nothing to approve is known. With a model, the first
row is the strictest verdict on flights that touch the home of each airline, as on its verdict page; an
airline without one has none.
"""

from collections.abc import Sequence
from typing import NamedTuple

from aeo.articles.rows import flights_link, verdict_of
from aeo.asking.names.suggestions import Suggestion
from aeo.drawing.signs import Tone
from aeo.editions import Edition
from aeo.page_records.register import Combination
from aeo.pages import parts
from aeo.pages.record import (
    Bullets,
    Form,
    Line,
    Link,
    Mark,
    Note,
    Page,
    Paragraph,
    Run,
    Section,
    Table,
    TextField,
    Toned,
)
from aeo.pages.sections import see
from aeo.reference.airline_rows import Asked, Row, rows, severity, severity_of
from aeo.reference.airline_table import alone, query
from aeo.reference.glance import kept_elsewhere, restriction_tone
from aeo.reference.policy import LABELS, PolicyField, label, refused_words, value_words
from aeo.texts import airline_name, model_name, say
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.formatting import day, listed, read_words, verdict_word
from aeo.web.languages import tag
from rules.engine.vocabulary import STRICTNESS
from rules.selectors.policy_fields import (
    PolicyFields,
    RestrictionField,
    UnitsField,
    WattHourField,
    refusal_instead,
)

FEWEST, MOST = 2, 4
PATH = "/compare"


def path_of(codes: Sequence[str]) -> str:
    """Return the one address of a comparison: its codes, each once, in alphabetical order."""
    return f"{PATH}/{'-'.join(sorted({code.lower() for code in codes}))}"


def comparison_page(
    edition: Edition,
    codes: Sequence[str],
    model_id: str | None,
    *,
    offered: Sequence[Suggestion] | None = None,
    left_out: Sequence[str] = (),
) -> Page:
    """Return some airlines side by side; `model_id` adds the verdicts on a model.

    `offered`: a model was asked for by a name that does not mean one alone, but may mean one of these.
    `left_out` are the codes of airlines that were chosen too.
    """
    by_code = {row.airline.airline: row for row in rows(edition)}
    chosen = [by_code[code] for code in codes]
    names = [airline_name(row.airline) for row in chosen]
    path, title = path_of(codes), say("compare.title", airlines=listed(names))
    lead = say("compare.lead")
    return Page(
        path=path,
        title=title,
        lead=lead,
        glance=(
            *_left_out(edition, left_out),
            *(() if offered is None else _offered(path, offered)),
            _table(edition, chosen, model_id),
            _ask_model(path, edition, model_id),
        ),
        sections=(
            Section(
                say("compare.others"),
                (Paragraph((Link(say("compare.choose.others"), query(Asked(picked=tuple(codes)))),)),),
            ),
            see("/coverage", "/limits-of-this-check"),
        ),
        crumbs=parts.crumbs((say("airlines"), "/airlines"), (title, path)),
        about=parts.about(
            edition,
            parts.commas([Link(code, f"/api/airlines/{code}") for code in codes]),
        ),
        node=jsonld.plain_page(
            url=address(path),
            name=title,
            description=lead,
            language=tag(),
            ruleset_version=edition.release.ruleset_version,
        ),
    )


def _left_out(edition: Edition, codes: Sequence[str]) -> tuple[Paragraph, ...]:
    if not codes:
        return ()
    names = [airline_name(edition.release.shelf.airlines[code]) for code in codes]
    return (Paragraph((say("compare.most", airlines=listed(names)),)),)


def _offered(path: str, offered: Sequence[Suggestion]) -> tuple[Paragraph | Bullets, ...]:
    if not offered:
        return (Paragraph((say("compare.model.unknown"),)),)
    lines = tuple((Link(one.label, f"{path}?model={one.value}"), Note(f" {one.detail}")) for one in offered)
    return (Paragraph((say("compare.model.several"),)), Bullets(lines))


def _ask_model(path: str, edition: Edition, model_id: str | None) -> Form:
    device = edition.release.shelf.devices[model_id] if model_id else None
    field = TextField("model", say("compare.model"), model_name(device) if device else "")
    return Form("model", path, (field,), say("compare.model.button"))


def _table(edition: Edition, chosen: Sequence[Row], model_id: str | None) -> Table:
    head = (say("policy.about"), *(airline_name(row.airline) for row in chosen))
    known = [name for name in LABELS if any(_stated(row.fields, name) is not None for row in chosen)]
    table = [
        *(_verdicts(edition, chosen, model_id) if model_id else ()),
        _whose(chosen),
        *(_field(name, chosen) for name in known),
        _since(chosen),
        _read(chosen),
    ]
    return Table(head, tuple(table), wide=True)


def _verdicts(edition: Edition, chosen: Sequence[Row], model_id: str) -> list[tuple[Line, ...]]:
    pages = [Combination(model_id, row.airline.airline, row.airline.country) for row in chosen]
    found = [verdict_of(edition, page) for page in pages]
    worst = max((STRICTNESS[verdict] for verdict in found if verdict), default=0)
    differ = len(set(found) - {None}) > 1
    cells: list[Line] = []
    for page, verdict in zip(pages, found, strict=True):
        if verdict is None:
            cells.append((say("compare.undecided"),))
        else:
            mark = (Mark(verdict, verdict_word(verdict)), " ", flights_link(edition, page, "airline"))
            cells.append(
                (*mark, *_abroad(edition, page), *_strictest(differ and STRICTNESS[verdict] == worst))
            )
    name = model_name(edition.release.shelf.devices[model_id])
    return [(_topic(say("compare.one_of", model=name), differ=differ), *cells)]


def _abroad(edition: Edition, page: Combination) -> Line:
    """Return the verdict on international flights, if it is not that of the page."""
    verdict = verdict_of(edition, page, abroad=True)
    if verdict is None or verdict == verdict_of(edition, page):
        return ()
    return (Note(f" {say('compare.abroad', verdict=verdict_word(verdict))}"),)


class _Stated(NamedTuple):
    """A value in words, how it is drawn, and its place among those of its topic, the strictest lowest."""

    words: str
    tone: Tone
    rank: float


def _stated(fields: PolicyFields, name: str) -> _Stated | None:
    """Return the value of a field, or what answers it: a refusal, or a place that excludes it.

    None if it is not known.
    """
    field: PolicyField | None = getattr(fields, name)
    if field is not None:
        tone = restriction_tone(field) if isinstance(field, RestrictionField) else "limit"
        return _Stated(value_words(name, field), tone, _rank(field))
    if name == "overhead_bin" and (kept := kept_elsewhere(fields)):
        return _Stated(kept, "limit", severity_of("restricted"))
    refused = refusal_instead(fields, name)
    if refused is None:
        return None
    # No unit above 100 Wh is fewer than any number of them, and a refusal is stricter than an approval.
    rank = 0.0 if name == "max_units_over_100_watt_hour" else float(refused.value) - 0.001
    return _Stated(refused_words(name, refused), "no", rank)


def _field(name: str, chosen: Sequence[Row]) -> tuple[Line, ...]:
    """Return a row of a topic, with its strictest value marked if the known ones differ."""
    stated = [_stated(row.fields, name) for row in chosen]
    known = {one.rank for one in stated if one is not None}
    strictest = min(known) if len(known) > 1 else None
    cells = (
        (*_cell(one, marked=one is not None and one.rank == strictest), *alone(row, name))
        for row, one in zip(chosen, stated, strict=True)
    )
    return (_topic(label(name), differ=len({one.words for one in stated if one is not None}) > 1), *cells)


def _cell(stated: _Stated | None, *, marked: bool) -> Line:
    if stated is None:
        return (Toned("unknown", say("not_known")),)
    return (Toned(stated.tone, stated.words), *_strictest(marked))


def _strictest(marked: bool) -> tuple[Run, ...]:
    return (Note(f" {say('compare.strictest')}"),) if marked else ()


def _topic(name: str, *, differ: bool) -> Line:
    return (name, Note(f" {say('compare.differs')}")) if differ else (name,)


def _rank(field: PolicyField) -> float:
    """Return the place of a value among those of its topic, the strictest lowest."""
    match field:
        case WattHourField(value=value) | UnitsField(value=value):
            return float(value)
        case RestrictionField():
            return severity(field)
    return _REQUIREMENTS.index(field.value)


_REQUIREMENTS = ("required", "depends", "advised")


def _since(chosen: Sequence[Row]) -> tuple[Line, ...]:
    cells = [
        _cell(None, marked=False) if day_ is None else (day(day_),)
        for row in chosen
        for day_ in [row.airline.effective_from]
    ]
    return ((say("list.airlines.since"),), *cells)


def _whose(chosen: Sequence[Row]) -> tuple[Line, ...]:
    cells = [
        (say("uncovered" if row.whose == "nothing" else f"list.airlines.{row.whose}"),) for row in chosen
    ]
    return (_topic(say("list.airlines.whose"), differ=len(set(cells)) > 1), *cells)


def _read(chosen: Sequence[Row]) -> tuple[Line, ...]:
    cells = [(read_words(row.read) if row.rules else say("uncovered"),) for row in chosen]
    return ((say("list.airlines.known"),), *cells)
