"""/airlines: the policies of all airlines at a glance, one row each; filtered and sorted by its address."""

from collections.abc import Sequence
from urllib.parse import urlencode

from msgspec.structs import replace

from aeo.drawing.signs import Tone
from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.paths import airline_path
from aeo.pages.record import (
    Block,
    Box,
    Button,
    Form,
    Line,
    Link,
    Note,
    Page,
    Paragraph,
    Select,
    Table,
    TextField,
    Tick,
    Toned,
)
from aeo.pages.sections import see
from aeo.reference.airline_rows import ORDERS, Asked, Row, chosen, rows
from aeo.reference.glance import kept_elsewhere, restriction_tone, restriction_words, units_words
from aeo.reference.policy import refused_words, value_words
from aeo.reference.whose import ASSUMED
from aeo.texts import airline_name, say
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.formatting import above, day, listed, up_to
from aeo.web.jsonld import Crumb
from aeo.web.languages import tag
from rules.engine.facts import Airline
from rules.selectors.policy_fields import PolicyFields, RestrictionField, WattHourField, refusal_instead

PATH = "/airlines"
CSV = "/airlines.csv"
COMPARE = "/compare"
FORM = "filter"
"""The form of the fields and of the boxes of rows, so that a search keeps what is ticked."""


def airlines_page(edition: Edition, asked: Asked) -> Page:
    """Return the list as far as it was asked for."""
    every, found = rows(edition), chosen(edition, asked)
    decided = sum(row.rules > 0 for row in every)
    title, lead = say("list.airlines.title"), say("list.airlines", count=len(every), decided=decided)
    return Page(
        path=PATH,
        title=title,
        lead=lead,
        glance=tuple(_shown(edition, asked, found, len(every))),
        sections=(see("/coverage", "/methodology"),),
        crumbs=parts.crumbs((title, PATH)),
        about=parts.about(
            edition,
            parts.commas(
                [
                    Link(say("programs.list"), "/api/airlines"),
                    Link(say("list.airlines.csv"), query(replace(asked, picked=()), CSV)),
                ]
            ),
        ),
        node=jsonld.collection(
            url=address(PATH),
            name=title,
            description=lead,
            items=[
                Crumb(airline_name(row.airline, coded=False), address(airline_path(row.airline.airline)))
                for row in every
            ],
            language=tag(),
        ),
        json_url="/api/airlines",
    )


def query(asked: Asked, path: str = PATH) -> str:
    """Return the address of the list as asked for, or of its CSV."""
    given = {
        "q": asked.q,
        "country": asked.country,
        "units": "1" if asked.one_unit else "",
        "use": "no" if asked.no_use else "",
        "sort": asked.sort,
        "picked": "-".join(asked.picked).lower(),
    }
    written = urlencode({name: value for name, value in given.items() if value})
    return f"{path}?{written}" if written else path


def _shown(edition: Edition, asked: Asked, found: Sequence[Row], count: int) -> list[Block]:
    counted = say("list.filter.count", shown=str(len(found)), all=str(count))
    blocks: list[Block] = [
        _filters(edition, asked),
        Paragraph((counted, " ", Note(say("list.airlines.own")))),
    ]
    if not found:
        return [*blocks, Paragraph((say("list.airlines.nothing"), " ", Link(say("list.airlines.all"), PATH)))]
    return [
        *blocks,
        Paragraph(_sorting(asked)),
        _compare(),
        _table(edition, found, asked.picked),
        _compare(),
    ]


def _filters(edition: Edition, asked: Asked) -> Form:
    based = {row.airline.country for row in rows(edition)}
    countries = sorted((parts.country(edition.release, code).name, code) for code in based)
    shelf = edition.release.shelf
    return Form(
        FORM,
        PATH,
        (
            *(_pick(shelf.airlines[code]) for code in asked.picked),
            TextField("q", say("list.airlines.q"), asked.q),
            Select(
                "country",
                say("airline.based"),
                (("", say("list.airlines.any")), *((code, name) for name, code in countries)),
                asked.country,
            ),
            Tick("units", "1", say("list.airlines.one"), asked.one_unit),
            Tick("use", "no", say("list.airlines.no_use"), asked.no_use),
        ),
        say("list.airlines.show"),
    )


def _pick(airline: Airline) -> Tick:
    words = say("compare.choose.one", airline=airline_name(airline, coded=False))
    return Tick("airline", airline.airline.lower(), words, on=True)


def _compare() -> Button:
    return Button(FORM, COMPARE, say("compare.button"))


def _sorting(asked: Asked) -> Line:
    """Return links to the other orders."""
    orders = (
        (_head(key) if key else say("label.airline"), query(replace(asked, sort=key)))
        for key in ("", *ORDERS)
    )
    return say("list.airlines.sort"), " ", *parts.choices(orders, query(asked))


def _head(key: str) -> str:
    return say(f"list.airlines.{key}")


def _table(edition: Edition, found: Sequence[Row], picked: Sequence[str]) -> Table:
    head = (say("label.airline"), *map(_head, ORDERS), say("compare.choose"))
    return Table(head, tuple(_row(edition, row, picked) for row in found), wide=True)


def _row(edition: Edition, row: Row, picked: Sequence[str]) -> tuple[Line, ...]:
    airline, fields = row.airline, row.fields
    name, code = airline_name(airline, coded=False), airline.airline
    place = parts.country(edition.release, airline.country).name
    label = None if fields.label is None else value_words("label", fields.label)
    since = None if airline.effective_from is None else day(airline.effective_from)
    assumed = (Note(f" {say(f'list.airlines.{row.whose}')}"),) if row.whose in ASSUMED else ()
    return (
        (Link(name, airline_path(code)), Note(f" {listed([code, place])}"), *assumed),
        _stated(units_words(fields)),
        _figure(row, "carry_on_max_watt_hour_without_approval"),
        _figure(row, "carry_on_max_watt_hour_with_approval"),
        _restriction("onboard_use", fields.onboard_use),
        _restriction("onboard_recharge", fields.onboard_recharge),
        _bin(fields),
        _stated(label),
        _stated(since),
        _known(row),
        # What is picked has its box above.
        ()
        if code in picked
        else (Box(FORM, "airline", code.lower(), say("compare.choose.one", airline=name)),),
    )


def _known(row: Row) -> Line:
    """Return how a policy was read, and that its own page confirms no rule, if none."""
    if not row.rules:
        return (say("uncovered"),)
    how = say(f"read.{row.read.how}")
    if row.read.how == "own_page" and not row.confirmed:
        return how, Note(f" {say('list.airlines.unconfirmed')}")
    return (how,)


def _bin(fields: PolicyFields) -> Line:
    kept = kept_elsewhere(fields)
    return (kept,) if kept else _restriction("overhead_bin", fields.overhead_bin)


def _stated(words: str | None) -> Line:
    return (Toned("unknown", say("not_known")),) if words is None else (words,)


def _figure(row: Row, name: str) -> Line:
    """Return a limit, and that of the airline's rules alone if it is another one; or what is refused."""
    field = getattr(row.fields, name)
    return _refused(row.fields, name) if field is None else (up_to(field.bound), *alone(row, name))


def alone(row: Row, name: str) -> tuple[Note, ...]:
    """Return the limit of the airline's rules alone, if rules around it are stricter."""
    field, own = getattr(row.fields, name), getattr(row.own, name)
    if not (isinstance(field, WattHourField) and isinstance(own, WattHourField)) or own.bound == field.bound:
        return ()
    key = "list.airlines.alone.assumed" if row.whose == "assumed" else "list.airlines.alone"
    return (Note(f" {say(key, limit=value_words(name, own))}"),)


def _refused(fields: PolicyFields, name: str) -> Line:
    """Return the refusal that answers a limit without a value, or the one beyond what is not known."""
    if (refused := refusal_instead(fields, name)) is not None:
        return (Toned("no", refused_words(name, refused)),)
    beyond = fields.carry_on_prohibited_over_watt_hour
    if beyond is None:
        return _stated(None)
    return (*_stated(None), Note(f" {say('glance.refused', limit=above(beyond.bound))}"))


def _restriction(name: str, field: RestrictionField | None) -> Line:
    tone: Tone = restriction_tone(field)
    return (Toned(tone, restriction_words(name, field)),)
