"""Runs every case on some content with the engine, and says in sentences what is not as expected."""

from collections import defaultdict
from collections.abc import Collection, Iterable

import msgspec

from rules.cases.asking import Outcome, concerning, outcomes
from rules.cases.comparing import differences, grants, is_milder, misnamed
from rules.cases.reading import Case
from rules.engine.corpus import Corpus
from rules.engine.document import Content


class Failure(msgspec.Struct, frozen=True):
    """An expectation that was not met. `path` is the verdict path, empty if there was no answer."""

    file: str
    name: str
    expected: str
    got: str
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the failure as a sentence for editors, with the path."""
        path = f" Path: {' → '.join(self.path)}." if self.path else ""
        return f"{self.in_short}.{path}"

    @property
    def in_short(self) -> str:
        """The failure without its path."""
        return f"{self.file}, “{self.name}”: expected {self.expected}, got {self.got}"


class Judged(msgspec.Struct, frozen=True):
    """A case with what was not as expected.

    `grants`: it, a segment or a unit of an itinerary may travel although the case expects that it may not.
    `milder`: it, a segment or the packing is answered less strictly than expected; no answer counts as
    insufficient.
    """

    case: Case
    failures: tuple[Failure, ...]
    grants: bool
    milder: bool


class Answered(msgspec.Struct, frozen=True):
    """What some content answers to one case, in codes, and what is not as expected.

    `verdict` is the verdict of the whole, or the code of the error.
    """

    verdict: str
    segments: tuple[str, ...]
    constraints: tuple[str, ...]
    warnings: tuple[str, ...]
    path: tuple[str, ...]
    failures: tuple[Failure, ...]


def answered(content: Content, case: Case) -> Answered:
    """Ask one case without indexing all of a large content. The answer is that of `judge`."""
    rule_ids = {rule.rule_id for rule in content.rules}
    ((_, outcome),) = outcomes(concerning(content, case), [case])
    return Answered(
        verdict=outcome.error or outcome.verdict or "",
        segments=outcome.segments if len(outcome.segments) > 1 else (),
        constraints=tuple(dict.fromkeys(one.code for one in outcome.constraints)),
        warnings=tuple(dict.fromkeys(one.code for one in outcome.warnings)),
        path=outcome.path,
        failures=_failures(case, outcome, rule_ids),
    )


def judge(known: Content | Corpus, cases: Iterable[Case]) -> list[Judged]:
    """Run every case on some content, which may be indexed already, in the order of the cases."""
    content = known.content if isinstance(known, Corpus) else known
    rule_ids = {rule.rule_id for rule in content.rules}
    return [
        Judged(
            case,
            _failures(case, outcome, rule_ids),
            grants(case.expect, outcome),
            is_milder(case.expect, outcome),
        )
        for case, outcome in outcomes(known, cases)
    ]


def _failures(case: Case, outcome: Outcome, rule_ids: Collection[str]) -> tuple[Failure, ...]:
    wrong = (*misnamed(case.expect, rule_ids), *differences(case.expect, outcome))
    return tuple(Failure(case.file, case.name, expected, got, outcome.path) for expected, got in wrong)


def failures(known: Content | Corpus, cases: Iterable[Case]) -> list[Failure]:
    """Run every case on some content and return what is not as expected, in the order of the cases."""
    return [failure for judged in judge(known, cases) for failure in judged.failures]


def silent_rules(content: Content, cases: Iterable[Case]) -> dict[str, tuple[str, ...]]:
    """Return the rules that no case applies, by issuer (`airline VN`, `jurisdiction VN`).

    There a case may still be missing; a rule that no question can reach is listed too.
    """
    spoken = {step for _, outcome in outcomes(content, cases) for step in outcome.path}
    silent: dict[str, list[str]] = defaultdict(list)
    for rule in content.rules:
        if rule.rule_id not in spoken:
            issuer = f"airline {rule.airline}" if rule.airline else f"jurisdiction {rule.jurisdiction}"
            silent[issuer].append(rule.rule_id)
    return {issuer: tuple(sorted(silent[issuer])) for issuer in sorted(silent)}
