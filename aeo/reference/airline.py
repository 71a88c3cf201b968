"""/airlines/<code>: the sum of an airline's own rules, how well they are known, and what can be decided.

The policy is a table of fields that `rules.selectors.policy_fields` computes from the rules in force, each
with the evidence of its rules. How well a policy is known and whether anything can be decided are two
questions: an official page without a rule that the engine can execute decides nothing.
"""

from collections.abc import Iterator, Sequence

from aeo.articles.rows import verdict_section
from aeo.editions import Edition
from aeo.page_records.register import Indexed
from aeo.pages import disagreements, parts
from aeo.pages.paths import airline_path
from aeo.pages.record import Block, Bullets, Facts, Feed, Link, Page, Paragraph, Reading, Section
from aeo.reference import approval, glance, policy_news
from aeo.reference.airline_rows import Asked
from aeo.reference.airline_table import query
from aeo.reference.policy import policy_blocks
from aeo.reference.policy_news import News
from aeo.reference.whose import ASSUMED, whose
from aeo.texts import active as language
from aeo.texts import airline_name, say
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.formatting import day, joined, listed, number, read_words, up_to
from aeo.web.languages import tag
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import Airline, Rule
from rules.policy_history import selectors
from rules.policy_history.log import PolicyLog
from rules.policy_history.selectors import Narrowed
from rules.selectors import airlines, evidence, readings, rules
from rules.selectors.disagreements import about_airline
from rules.selectors.policy_fields import PolicyFields
from rules.selectors.readings import LastRead
from rules.wording.translating import SOURCE_LANGUAGE


def airline_page(edition: Edition, code: str, indexed: Indexed, news: News = ()) -> Page:
    """Return the page of an airline. Raises `KeyError` if the release does not contain it.

    `news` are the newest changes of its policy in releases.
    """
    release = edition.release
    airline = release.shelf.airlines[code]
    active = rules.active(release, code, edition.today)
    fields = approval.counted(active, approval.around_airline(edition, airline))
    lent = approval.lent(release, fields, active)
    cited = evidence.citations(
        release, [*airline.sources, *(source for rule in [*active, *lent] for source in rule.sources)]
    )
    path = airline_path(code)
    name = airline_name(airline)
    title, lead = say("airline.question", airline=name), _lead(airline, active, fields)
    checked = airlines.last_checked(release, airline)
    programs = parts.commas(
        [
            Link(say("programs.airline"), f"/api/airlines/{code}"),
            Link(say("programs.of_rules"), f"/api/rules?airline={code}"),
        ]
    )
    return Page(
        path=path,
        title=title,
        lead=lead,
        glance=(
            glance.of_policy(fields, _whose(airline, active)),
            Paragraph((Link(say("compare.with"), query(Asked(picked=(code,)))),)),
        ),
        sections=(
            Section(say("airline.known"), tuple(_coverage(release, airline, active))),
            *_policy(release, airline, active, fields, cited, lent=bool(lent)),
            *_rules(release, active),
            *disagreements.section(release, about_airline(release, code)),
            *_changes(release, airline, news),
            *verdict_section(
                edition, say("airline.verdicts"), indexed.of_airline.get(code, []), about="airline"
            ),
            *parts.sources(release, cited),
        ),
        crumbs=parts.crumbs((say("airlines"), "/airlines"), (name, path)),
        about=(
            (say("airline.based"), (parts.country_link(release, airline.country),)),
            (say("airline.codes"), (listed([code, airline.icao]),)),
            (say("about.evidence"), (day(checked) if checked else say("about.evidence.never"),)),
            *parts.about(edition, programs),
        ),
        node=jsonld.web_page(
            url=address(path),
            name=title,
            description=lead,
            main=jsonld.airline(
                name=airline_name(airline, coded=False),
                iata=code,
                icao=airline.icao,
                country=parts.country(release, airline.country),
            ),
            citations=cited,
            ruleset_version=release.ruleset_version,
            language=tag(),
        ),
        json_url=f"/api/airlines/{code}",
        feeds=(Feed(f"/feeds/airlines/{code.lower()}.atom", say("feed.airline", airline=name)),),
    )


def _lead(airline: Airline, active: Sequence[Rule], fields: PolicyFields) -> str:
    name = airline_name(airline)
    if not active:
        return say("airline.lead.none", airline=name)
    if airline.confidence == "unverified":
        if confirmed := readings.confirmed(active):
            return say("airline.lead.partly", airline=name, count=confirmed)
        return say("airline.lead.unverified", airline=name)
    sentences = []
    if (free := fields.carry_on_max_watt_hour_without_approval) is not None:
        sentences.append(say("airline.lead.free", airline=name, limit=up_to(free.bound)))
    else:
        sentences.append(say("airline.lead.figureless", airline=name, count=len(active)))
    if (approved := fields.carry_on_max_watt_hour_with_approval) is not None:
        sentences.append(say("airline.approved", limit=up_to(approved.bound)))
    if fields.max_units is not None:
        sentences.append(say("airline.units", count=fields.max_units.value))
    return joined(sentences)


def _whose(airline: Airline, active: Sequence[Rule]) -> str:
    """Return whose rules the page leads with, and whether they are only assumed."""
    found = whose(airline, active)
    return say(f"airline.{found}" if found in ASSUMED else "glance.airline")


def _coverage(release: Published, airline: Airline, active: Sequence[Rule]) -> Iterator[Facts | Paragraph]:
    count, read = len(active), readings.of_airline(release, airline)
    said = say("airline.decides", count=count) if active else say("airline.decides.not")
    yield Facts(
        (
            (
                say("airline.read"),
                (Reading(read.how, read_words(read)), " ", Link(say("coverage.link"), "/coverage")),
            ),
            (say("airline.rules"), (_known(active),)),
            (say("airline.page"), (Link(airline.policy_url, airline.policy_url),)),
        )
    )
    yield Paragraph((Reading(f"{read.how}: {said}", joined([_how(airline, read, active), said])),))
    if language() == SOURCE_LANGUAGE:
        # An editor's sentence, in English; the table below says the same in every language.
        yield Paragraph((airline.summary,))


def _how(airline: Airline, read: LastRead, active: Sequence[Rule]) -> str:
    """Return how the policy was read, and when, as a sentence."""
    confirmed = readings.confirmed(active)
    if airline.confidence == "unverified" and confirmed:
        return say("airline.read.partly", count=confirmed)
    if read.on is None:
        return say("airline.read.nothing")
    silent = ".silent" if airline.confidence == "unverified" else ""
    said = say(f"airline.read.{read.how}{silent}", date=day(read.on))
    unconfirmed = read.how == "own_page" and not silent and not confirmed
    return joined([said, say("airline.read.unconfirmed")]) if unconfirmed else said


def _known(active: Sequence[Rule]) -> str:
    """Return how many rules are in force, and how well they are known."""
    if not active:
        return number(0)
    counted = {word: number(count) for word, count in readings.by_confidence(active).items()}
    return say("airline.rules.known", count=number(len(active)), **counted)


def _policy(
    release: Published,
    airline: Airline,
    active: Sequence[Rule],
    fields: PolicyFields,
    cited: Sequence[Citation],
    *,
    lent: bool,
) -> Iterator[Section]:
    """Show the policy. `lent`: some fields depend on rules of others."""
    if not (blocks := policy_blocks(release, fields, cited)):
        return
    assumed = airline.confidence == "unverified" and not readings.confirmed(active)
    heading = "assumes" if assumed else "says"
    words = [*([] if assumed else ["alone"]), *(["alone.approval"] if lent else [])]
    said = [say(f"airline.{one}") for one in words]
    around = (Paragraph((joined(said),)),) if said else ()
    yield Section(say(f"airline.{heading}"), (*around, *blocks))


def _rules(release: Published, active: Sequence[Rule]) -> Iterator[Section]:
    if active:
        lines = tuple(parts.rule_line(release, rule) for rule in active)
        yield Section(say("airline.in_force"), (Bullets(lines),))


def _changes(release: Published, airline: Airline, news: News) -> Iterator[Section]:
    """Yield what releases changed, and the number of dated changes from editors, which are for partners."""
    log = PolicyLog(release, selectors.history(release), Narrowed(airline.airline))
    blocks: list[Block] = [
        *policy_news.blocks(
            release, news, most=policy_news.MOST_OF_AIRLINE, total=log.by_releases or 0, named=False
        )
    ]
    if log.recorded:
        blocks.append(Paragraph((say("airline.changes.recorded", count=log.recorded),)))
    if blocks:
        blocks.append(Paragraph((Link(say("airline.changes.all"), "/policy-changes"),)))
        yield Section(say("airline.changes"), tuple(blocks))
