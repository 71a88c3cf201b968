"""Matching alone, against three open engines: zen-engine, Cedar and Open Policy Agent's Rego.

All get the same rules and questions and must find the same rules. All preparation for the others is done
first and not timed. Ours converts the question into its own form within the measured time. But for
`zen_scopes`, the search for the rules in force for the leg is timed on no side.

`engine_over_zen`, `engine_over_cedar` and `engine_over_opa` are each in the kindest form that was found.
"""

from collections.abc import Iterator
from itertools import islice

from bench.engine.peers import cedar, opa, zen
from bench.engine.peers.questions import Asked, Way, Ways, agree, ours, prepare, turn
from bench.questions import real_questions
from bench.report import Line, ratio
from bench.rounds import in_turns
from rules.engine.corpus import Corpus
from rules.engine.document import Content

QUESTIONS, ROUNDS = 300, 60
ENOUGH_SECONDS = 5


def measure(content: Content) -> Iterator[Line]:
    """Compare each way to use another engine with our own matching."""
    corpus = Corpus(content)
    asked = list(prepare(content, corpus, islice(real_questions(content, seed=4), QUESTIONS)))
    ways = all_ways(content, corpus, asked)
    agree(ways)
    for name in ("zen", "zen_tables", "opa"):
        yield _compare(name, ways[name], ways["ours_in_force"])
    yield _compare("zen_scopes", ways["zen_scopes"], ways["ours"])
    yield _compare("cedar_batch", ways["cedar_batch"], ways["ours_in_force"], repeated=cedar.BATCH)
    yield _cedar(ways["cedar"], cedar.bridge(asked), ways["ours_in_force"])


def all_ways(content: Content, corpus: Corpus, asked: list[Asked]) -> Ways:
    """Prepare every way for some questions: ours with and without the index, and those of the others."""
    return {
        **ours(corpus, asked),
        **zen.ways(content, corpus, asked),
        **cedar.ways(asked),
        **opa.ways(asked),
    }


def _compare(name: str, theirs: Way, ours: Way, repeated: int = 1) -> Line:
    seconds = in_turns({"theirs": turn(theirs), "ours": turn(ours)}, ROUNDS, ENOUGH_SECONDS)
    each = [of_turn / repeated for of_turn in seconds["theirs"]]
    return ratio(
        f"engine_over_{name}", each, seconds["ours"], their_us=_us(each), our_us=_us(seconds["ours"])
    )


def _cedar(cedar: Way, bridge: Way, ours: Way) -> Line:
    seconds = in_turns(
        {"cedar": turn(cedar), "bridge": turn(bridge), "ours": turn(ours)}, ROUNDS, ENOUGH_SECONDS
    )
    best = {name: min(turns) for name, turns in seconds.items()}
    return ratio(
        "engine_over_cedar",
        seconds["cedar"],
        seconds["ours"],
        their_us=_us(seconds["cedar"]),
        our_us=_us(seconds["ours"]),
        bridge_us=_us(seconds["bridge"]),
        without_bridge=round((best["cedar"] - best["bridge"]) / best["ours"], 3),
    )


def _us(seconds: list[float]) -> float:
    """Return the microseconds of a question in the best turn."""
    return round(min(seconds) / QUESTIONS * 1e6, 1)
