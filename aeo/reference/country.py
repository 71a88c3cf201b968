"""/countries/<code>: whose rules apply to flights that touch a country, and the airlines based there."""

from collections.abc import Iterable, Iterator, Sequence

from aeo.articles.rows import verdict_section
from aeo.editions import Edition
from aeo.page_records.register import Indexed
from aeo.pages import disagreements, parts, refusal
from aeo.pages.parts import authority
from aeo.pages.paths import country_path
from aeo.pages.record import Bullets, Link, Note, Page, Paragraph, Section
from aeo.pages.sections import see
from aeo.reference import approval, domestic, glance
from aeo.reference.policy import policy_blocks
from aeo.texts import in_sentence, say
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.formatting import joined, up_to
from aeo.web.languages import tag
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import INTERNATIONAL, Rule
from rules.selectors import airlines, evidence, rules
from rules.selectors.disagreements import about_places
from rules.selectors.policy_fields import PolicyFields


def country_page(edition: Edition, code: str, indexed: Indexed) -> Page:
    """Return the page of a country. Raises `KeyError` if there is no such code."""
    release = edition.release
    country = parts.country(release, code)
    name, path = in_sentence(code, release.corpus.countries[code].name), country_path(code)
    places = [(place, approval.of_place(edition, place)) for place in reversed(release.corpus.places(code))]
    places = [(place, active) for place, active in places if active]
    own = [rule for _, active in places for rule in active]
    within = domestic.stricter(edition, own)
    fields, together = departing(edition, own)
    lent = approval.lent(release, fields, _of_departures(own))
    behind = [*own, *lent]
    cited = evidence.citations(release, (source for rule in behind for source in rule.sources))
    title, lead = say("country.question", country=name), _lead(release, name, places, within, fields)
    return Page(
        path=path,
        title=title,
        lead=lead,
        glance=(glance.of_policy(together, say("glance.country"), domestic.of_some_flights(edition, own)),),
        sections=(
            *domestic.section(release, within, name, cited),
            *_departing(release, name, fields, cited, alone=bool(within), lent=bool(lent)),
            *(_authority(release, place, active) for place, active in places),
            *disagreements.section(release, about_places(release, reversed(release.corpus.places(code)))),
            *refusal.section(code),
            _airlines(edition, code),
            *verdict_section(
                edition,
                say("country.verdicts"),
                indexed.of_country.get(code, []),
                about="country",
            ),
            see("/map", "/coverage", "/limits-of-this-check"),
            *parts.sources(release, cited),
        ),
        crumbs=parts.crumbs((say("countries"), "/countries"), (country.name, path)),
        about=parts.about(
            edition,
            parts.commas(
                [
                    Link(
                        say("programs.rules"),
                        f"/api/rules?jurisdiction={places[0][0] if places else INTERNATIONAL}",
                    ),
                    Link(say("programs.of_airlines"), f"/api/airlines?country={code}"),
                ]
            ),
        ),
        node=jsonld.web_page(
            url=address(path),
            name=title,
            description=lead,
            main=jsonld.place(country),
            citations=cited,
            ruleset_version=release.ruleset_version,
            language=tag(),
        ),
    )


def departing(edition: Edition, own: Iterable[Rule]) -> tuple[PolicyFields, PolicyFields]:
    """Return what rules of a country's authorities say of departing flights, alone and with the baseline."""
    return approval.with_all(_of_departures(own), approval.baseline(edition))


def _of_departures(own: Iterable[Rule]) -> list[Rule]:
    return [rule for rule in own if "departure" in rule.applies]


def _lead(
    release: Published,
    name: str,
    places: Sequence[tuple[str, Sequence[Rule]]],
    within: Sequence[Rule],
    fields: PolicyFields,
) -> str:
    if not places:
        return joined([say("country.none", country=name), say("country.domestic", country=name)])
    sentences = [
        *domestic.lead(within, name),
        *(
            say("country.own", authority=authority(release, place), count=len(active), country=name)
            for place, active in places
        ),
    ]
    if (free := fields.carry_on_max_watt_hour_without_approval) is not None:
        key = "country.free.international" if within else "country.free"
        sentences.append(say(key, country=name, limit=up_to(free.bound)))
    if (approved := fields.carry_on_max_watt_hour_with_approval) is not None:
        sentences.append(say("country.approved", limit=up_to(approved.bound)))
    if fields.max_units is not None:
        sentences.append(say("airline.units", count=fields.max_units.value))
    return joined(sentences)


def _departing(
    release: Published,
    name: str,
    fields: PolicyFields,
    cited: Sequence[Citation],
    *,
    alone: bool,
    lent: bool,
) -> Iterator[Section]:
    """Yield what applies to departing flights.

    `alone`: domestic flights have further rules. `lent`: some fields also depend on the baseline.
    """
    if blocks := policy_blocks(release, fields, cited):
        heading = say("country.departing.international" if alone else "country.departing", country=name)
        said = [say("country.alone"), *([say("country.alone.approval")] if lent else [])]
        yield Section(heading, (Paragraph((joined(said),)), *blocks))


def _authority(release: Published, place: str, active: Sequence[Rule]) -> Section:
    lines = tuple(
        parts.rule_line(release, rule, flights=[say(f"scope.{scope}") for scope in rule.applies])
        for rule in active
    )
    return Section(say("country.rules", authority=authority(release, place)), (Bullets(lines),))


def _airlines(edition: Edition, code: str) -> Section:
    based = airlines.find(edition.release, country=code)
    if not based:
        return Section(say("country.airlines"), (Paragraph((say("country.airlines.none"),)),))
    lines = tuple(
        (parts.airline_link(edition.release, airline.airline), Note(f" {say('count.rules', count=count)}"))
        for airline in based
        for count in [len(rules.active(edition.release, airline.airline, edition.today))]
    )
    return Section(say("country.airlines"), (Bullets(lines),))
