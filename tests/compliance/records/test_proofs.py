"""What the proof of a release states is public and signed, and nobody can take it for an answer."""

import datetime
import json

import pytest
import rfc8785
from django.test import Client
from msgspec.structs import replace

from rules import corpus
from rules.editing.actions import approve_rules, draft_rule, submit_rules
from rules.models import Rule
from rules.proof.actions import proving
from rules.publishing.actions.releases import publish_release
from rules.releases.models import Release
from tests.support.api_requests import post
from tests.support.factories import a_user
from tests.support.receipt_judge import HEADER, is_signed, published_keys
from tests.support.releasing import NOON
from tests.support.world import APPROVER, build_world

pytestmark = pytest.mark.usefixtures("fresh_process")


@pytest.fixture
def release(db: None) -> Release:
    build_world(by=a_user())
    release = publish_release(by=a_user("publisher"), note="The first.", now=NOON, cases=())
    corpus.refresh()
    return release


def publish_the_next() -> Release:
    like = Rule.objects.get(rule_id="s2.one-unit").to_record()
    draft_rule(by=a_user(), rule=replace(like, rule_id="n1.one-unit", airline="N1", jurisdiction="XA"))
    submit_rules(by=a_user(), rule_ids=["n1.one-unit"])
    approve_rules(by=a_user(APPROVER), rule_ids=["n1.one-unit"])
    later = NOON + datetime.timedelta(hours=1)
    return publish_release(by=a_user("publisher"), note="The next.", now=later, cases=())


def address(release: Release) -> str:
    return f"/rulesets/{release}/proof.json"


def prove(release: Release) -> None:
    proving.work_off(proving.begin(release, now=NOON))


def test_the_statement_of_a_finished_proof_is_signed_with_a_published_key(
    client: Client, release: Release
) -> None:
    prove(release)
    response = client.get(address(release))
    stated = json.loads(response.content)
    assert response.content == rfc8785.dumps(stated)
    assert is_signed(response.content, response[HEADER], published_keys())
    assert not is_signed(response.content.replace(b'"0"', b'"1"') + b" ", response[HEADER], published_keys())
    assert stated["release"] == str(release)
    assert stated["release_sha256"] == release.sha256
    assert int(stated["questions"]) > stated["cells"] > 0
    assert (stated["disagreements"], stated["broken_promises"]) == (0, 0)


def test_until_it_is_finished_the_address_says_so_and_nothing_is_signed(
    client: Client, release: Release
) -> None:
    proving.begin(release, now=NOON)
    response = client.get(address(release))
    assert response.status_code == 200
    assert response.json() == {"format": "proof.v1", "release": str(release), "state": "not_finished"}
    assert HEADER not in response


def test_a_reader_who_has_it_gets_304_until_the_proof_is_finished(client: Client, release: Release) -> None:
    tag = client.get(address(release))["ETag"]
    assert client.get(address(release), headers={"if-none-match": tag}).status_code == 304
    prove(release)
    assert client.get(address(release), headers={"if-none-match": tag}).status_code == 200


def test_an_earlier_release_keeps_its_statement(client: Client, release: Release) -> None:
    prove(release)
    before = client.get(address(release)).content
    newest = publish_the_next()
    corpus.refresh()
    assert client.get(address(release)).content == before
    assert client.get(address(newest)).json()["state"] == "not_finished"


@pytest.mark.parametrize("version", ["2020-01-01", "x", "2026-11-20.0", "%00", "²"])
def test_there_is_no_statement_of_a_release_that_the_ledger_does_not_have(
    client: Client, release: Release, version: str
) -> None:
    assert client.get(f"/rulesets/{version}/proof.json").status_code == 404


def test_a_statement_is_no_answer(client: Client, release: Release) -> None:
    prove(release)
    response = client.get(address(release))
    body = {"answer": response.json(), "receipt": response[HEADER]}
    checked = post(client, "/api/receipts/check", body)
    assert checked.status_code == 400 or checked.json()["standing"] == "not_ours"


def test_the_scorecard_shows_the_figures_of_the_proof(client: Client, release: Release) -> None:
    assert "not finished yet" in client.get("/scorecard").content.decode()
    prove(release)
    page = client.get("/scorecard").content.decode()
    assert "not finished yet" not in page
    [proof] = release.proofs.all()
    assert f"{int(proof.questions):,}" in page
    assert address(release) in page
