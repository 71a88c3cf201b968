"""The pages of `/check` as page records, for readers who prefer Markdown. Called by `aeo.checker.views`."""

from collections.abc import Iterable, Iterator
from itertools import chain

from aeo.asking import Asked, query
from aeo.checker.answer import AnswerShown, Instructions
from aeo.checker.document import (
    Context,
    bullets,
    headed,
    lines,
    link,
    programs,
    question,
    recall_check,
    unanswered,
    understood,
)
from aeo.checker.document import refusal as refused
from aeo.pages import disagreements, parts
from aeo.pages.record import (
    Block,
    Bullets,
    Code,
    Folded,
    Line,
    Link,
    Mark,
    Note,
    Page,
    Paragraph,
    Run,
    Section,
)
from aeo.texts import say
from aeo.web.addresses import address
from aeo.web.formatting import comma, joined, listed, verdict_word
from rules.corpus import Published
from rules.selectors.evidence import Cited
from rules.wording.considered import NotApplied
from rules.wording.steps import Step

PROGRAM = "POST /api/verify"


def home(coming: tuple[Section, ...]) -> Page:
    """Return what can be asked and how, in place of the form, and what is coming."""
    more = ("guides", "/guides"), ("recalls", "/recalls"), ("about", "/methodology")
    lines = [(f"{say(f'home.{name}')} ", Link(say(f"home.{name}.link"), path)) for name, path in more]
    words = Paragraph((say("checker.words.example"),)), Code(f"{address('/check')}?q={{words}}")
    return Page(
        path="/",
        title=say("checker.title"),
        lead=say("checker.lead"),
        sections=(
            Section(say("checker.words.label"), words),
            *coming,
            Section(say("service.see_also"), (Bullets(tuple(lines)),)),
        ),
        crumbs=(),
        about=(programs(PROGRAM),),
    )


def answered(context: Context) -> Page:
    """Return an answer: a verdict, or guidance."""
    shown: AnswerShown = context["answer"]
    limits = (shown.assumed, shown.future, shown.expires)
    return Page(
        path=_path(context),
        title=shown.title,
        lead=shown.summary,
        mark=Mark(shown.verdict, shown.word),
        sections=(
            question(shown.asked, shown.notes, limits),
            *_instructions(shown.instructions),
            Section(say("energy.title"), (shown.energy,)),
            *refused(shown.refusal),
            *lines("answer.warnings", shown.warnings),
            *_helps(shown),
            _recalls(shown),
            _why(shown, context["release"]),
            Section(say("answer.considered"), tuple(_considered(shown))),
            *_for_programs(shown.curl),
        ),
        crumbs=(),
        about=(
            *((name, (value,)) for name, value in shown.facts),
            *([programs(PROGRAM)] if shown.curl else []),
        ),
    )


def incomplete(context: Context) -> Page:
    """Return what a question lacks, what was understood, and what applies in general."""
    title = say("checker.confirming" if context["form"].confirms else "checker.incomplete")
    problems = context["asked"].problems
    return unanswered(_path(context), title, problems, program=PROGRAM, more=understood(context))


def other_device(context: Context) -> Page:
    """Return whom to ask about a thing that is not a power bank."""
    ask = context["ask"]
    authorities = tuple((Link(one.name, one.url),) for one in ask.authorities)
    named = (Paragraph((say("other_device.authority"),)), Bullets(authorities)) if authorities else ()
    whom = Section(say("other_device.ask"), (Paragraph((say("other_device.airline"),)), *named))
    return _without_verdict(context, say("other_device.title"), ask.lead, (whom,))


def not_covered(context: Context) -> Page:
    """Return that an airline is not covered, and whom to ask."""
    said = context["not_covered"]
    ask = (say("answer.ask.airline"), say("answer.ask.authority"))
    whom = Section(say("answer.whom"), (Paragraph((say("error.never_allowed"),)), bullets(ask)))
    lead = joined(filter(None, [said["text"], said["change"]]))
    mark = Mark("insufficient", verdict_word("insufficient"))
    return _without_verdict(context, said["title"], lead, (whom,), mark)


def _without_verdict(
    context: Context, title: str, lead: str, sections: tuple[Section, ...], mark: Mark | None = None
) -> Page:
    return Page(
        path=_path(context),
        title=title,
        lead=lead,
        mark=mark,
        sections=sections,
        crumbs=(),
        about=(programs(PROGRAM),),
    )


def _path(context: Context) -> str:
    asked: Asked = context["asked"]
    return f"/check?{query(asked)}"


def _instructions(it: Instructions) -> Iterator[Section]:
    for key, said in (
        ("answer.bans", it.bans),
        ("answer.now", it.now),
        ("answer.settle", it.settle),
        ("answer.do", it.do),
        ("answer.dont", it.dont),
        ("answer.others", it.others),
    ):
        yield from lines(key, said)


def _helps(shown: AnswerShown) -> tuple[Section, ...]:
    """Return what would give a milder verdict, or that nothing would."""
    if not shown.helping:
        return lines("answer.helps", filter(None, [shown.nothing_helps]))
    helping = tuple(
        (joined([*one.changes, one.then]), " ", link(say("answer.helps.this"), one.path))
        for one in shown.helping
    )
    return (Section(say("answer.helps"), (Bullets(helping),)),)


def _recalls(shown: AnswerShown) -> Section:
    """Return what is known of recalls, and what an open one asks."""
    asks = tuple(recall_check(shown.recall_check)) if shown.recall_check else ()
    found = tuple((link(one.title, one.path),) for one in shown.recalls)
    said = Paragraph((shown.recall_says,))
    return Section(say("answer.recalls"), (*asks, said, *([Bullets(found)] if found else [])))


def _why(shown: AnswerShown, release: Published) -> Section:
    """Return the path of the verdict: what decides, the rest, and what sources say differently."""
    blocks: list[Block] = [Paragraph((say("answer.why.lead"),)), Bullets(tuple(map(_step, shown.deciding)))]
    if shown.others:
        summary = say("answer.why.others", count=len(shown.others))
        blocks.append(Folded(summary, (Bullets(tuple(map(_step, shown.others))),)))
    steps = (*shown.deciding, *shown.others)
    if disputed := dict.fromkeys(chain.from_iterable(step.disagreements for step in steps)):
        blocks.append(Paragraph((say("disagreements.here"),)))
        blocks += [disagreements.facts(release, one) for one in disputed]
    return Section(say("answer.why"), tuple(blocks))


def _step(step: Step) -> Line:
    api: list[Run] = [" ", Link(step.step, f"/api/rules/{step.step}")] if step.kind == "rule" else []
    says = joined([step.says, *step.conditions])
    who = listed(speaker.name for speaker in step.speakers)
    return (
        say("named", name=who, value=says) if who else says,
        *_cited(step.citations),
        *api,
        *map(parts.excerpt, step.excerpts),
    )


def _cited(citations: Iterable[Cited]) -> Iterator[Run]:
    """Yield sources behind a sentence, each with the day on which it was read."""
    for at, one in enumerate(citations):
        yield comma() if at else " "
        yield Link(one.authority, one.url)
        yield Note(f"{comma()}{parts.source_read(one)}")


def _considered(shown: AnswerShown) -> Iterator[Block]:
    """Yield the rules that did not apply, and why."""
    unmet, out_of_force = shown.considered.unmet, shown.considered.out_of_force
    yield from headed("answer.considered.unmet", map(_not_applied, unmet))
    yield from headed("answer.considered.out_of_force", map(_not_applied, out_of_force))
    if not unmet and not out_of_force:
        yield Paragraph((say("answer.considered.none"),))


def _not_applied(rule: NotApplied) -> Line:
    says = joined([rule.says, *rule.reasons])
    return (say("named", name=rule.speaker.name, value=says), *_cited(rule.citations))


def _for_programs(curl: str) -> tuple[Section, ...]:
    """Return the same question to the API; guidance has none."""
    if not curl:
        return ()
    return (Section(say("answer.programs"), (Paragraph((say("answer.programs.lead"),)), Code(curl))),)
