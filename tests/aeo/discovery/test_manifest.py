"""The manifest keeps the specification, and each of its entries is the page that it points to."""

import copy
import datetime
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs
import msgspec
import pytest
import rfc8785
import time_machine
from django.test import Client
from pytest_django import Settings

from aeo import editions
from aeo.articles import article as articles
from aeo.discovery import manifest
from aeo.editions import Edition
from aeo.page_records.register import PageRecord, Register
from aeo.web.documents import encode
from catalog.database import cached_values
from rules.corpus import answering_from
from rules.engine.corpus import Corpus
from tests.aeo.discovery.specification import MANIFEST
from tests.support import starter

HTML = {"accept": "text/html"}


@pytest.fixture
def served(pages: Register, now: None) -> dict[str, Any]:
    answer = Client().get("/aeo-manifest.json")
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


def structured(page: str) -> list[dict[str, Any]]:
    text = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    assert text is not None
    found: list[dict[str, Any]] = json.loads(text[1])
    return found


def test_it_keeps_the_served_schema_and_the_one_written_from_the_specification(
    served: dict[str, Any],
) -> None:
    for schema in (Client().get("/aeo-manifest.schema.json").json(), MANIFEST):
        jsonschema_rs.meta.validate(schema)
        errors = list(jsonschema_rs.validator_for(schema, validate_formats=True).iter_errors(served))
        assert errors == []


def damaged(manifest: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """One manifest for each bound of the specification, broken at just that bound."""

    def broken(*path: str | int, value: object) -> dict[str, Any]:
        copied = copy.deepcopy(manifest)
        place: Any = copied
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        return copied

    verdict = ("long_tail_verdicts", 0)
    return [
        ("an extra property at the top", manifest | {"datasets": []}),
        *(
            (f"no {name}", {key: value for key, value in manifest.items() if key != name})
            for name in manifest
        ),
        ("an upper-case hash", broken("content_hash", value="A" * 64)),
        ("another version", broken("manifest_version", value="aeo-manifest.v2")),
        ("another site", broken("site", value="https://elsewhere.example")),
        ("a short age", broken("cache_policy", "max_age_seconds", value=299)),
        ("a short stale time", broken("cache_policy", "stale_while_revalidate_seconds", value=3599)),
        ("other revalidation", broken("cache_policy", "revalidate_on", value="never")),
        ("a zero count", broken("counts", "brand_hubs", value=0)),
        ("a short purpose", broken("purpose", value="x" * 39)),
        ("no guides", broken("question_guides", value=[])),
        ("no hubs", broken("brand_hubs", value=[])),
        ("no verdicts", broken("long_tail_verdicts", value=[])),
        ("a short answer of 79", broken("question_guides", 0, "short_answer", value="x" * 79)),
        ("two questions", broken("question_guides", 0, "faq_count", value=2)),
        ("two sources", broken("question_guides", 0, "source_count", value=2)),
        (
            "two listed sources",
            broken("question_guides", 0, "sources", value=[{"label": "", "url": "https://a.b"}] * 2),
        ),
        ("an empty title", broken("question_guides", 0, "title", value="")),
        ("no models", broken("brand_hubs", 0, "model_count", value=0)),
        ("no representative", broken("brand_hubs", 0, "representative_models", value=[])),
        ("a negative count", broken("brand_hubs", 0, "near_limit_count", value=-1)),
        ("a zero capacity", broken("brand_hubs", 0, "representative_models", 0, "capacity_mah", value=0)),
        ("zero watt-hours", broken(*verdict, "watt_hour", value=0)),
        ("half a milliampere-hour", broken(*verdict, "capacity_mah", value=0.5)),
        ("a verdict of its own", broken(*verdict, "verdict", value="maybe")),
        ("a short summary", broken(*verdict, "summary", value="x" * 19)),
        ("three factors", broken(*verdict, "route_factors", value=["x" * 40] * 3)),
        ("a short factor", broken(*verdict, "route_factors", value=["x" * 40] * 3 + ["x" * 39])),
        ("a short body", broken(*verdict, "article_body", value="x" * 159)),
        ("a long body", broken(*verdict, "article_body", value="x" * 1601)),
        ("no citation", broken(*verdict, "citation_count", value=0)),
        ("no source", broken(*verdict, "sources", value=[])),
        ("another kind", broken(*verdict, "sources", 0, "kind", value="retailer")),
        ("a day alone", broken(*verdict, "sources", 0, "pulled_at", value="2026-11-20")),
        ("a relative address", broken(*verdict, "sources", 0, "url", value="/a")),
        ("one letter", broken(*verdict, "country_code", value="J")),
    ]


def test_both_schemas_refuse_whatever_breaks_a_bound(served: dict[str, Any]) -> None:
    own = Client().get("/aeo-manifest.schema.json").json()
    for schema in (own, MANIFEST):
        validator = jsonschema_rs.validator_for(schema, validate_formats=True)
        assert [what for what, broken in damaged(served) if validator.is_valid(broken)] == []


def test_each_guide_tells_its_addresses_in_other_languages(
    pages: Register, edition: Edition, settings: Settings
) -> None:
    settings.LANGUAGES = [("en", "English")]
    guides = json.loads(manifest.make(edition, pages).body)["question_guides"]
    assert not any("localized_urls" in guide for guide in guides)

    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("zh-hant", "繁體中文")]
    made = json.loads(manifest.make(edition, pages).body)
    for guide in made["question_guides"]:
        assert guide["localized_urls"] == {
            "de": f"{settings.SITE_URL}/de/guides/{guide['slug']}",
            "zh-Hant": f"{settings.SITE_URL}/zh-hant/guides/{guide['slug']}",
        }
    assert jsonschema_rs.validator_for(MANIFEST, validate_formats=True).is_valid(made)


def test_sizes_headers_and_hash(pages: Register, now: None) -> None:
    answer = Client().get("/aeo-manifest.json")
    body = answer.json()
    said = {name: value for name, value in body.items() if name not in {"content_hash", "generated_at"}}
    content_hash = hashlib.sha256(rfc8785.dumps(said)).hexdigest()
    assert body["content_hash"] == content_hash == answer["X-Service-Content-Hash"]
    assert answer["ETag"] == f'"{content_hash}"'
    schema_link, datasets_link = answer["Link"].split(", ")
    assert schema_link == '<http://127.0.0.1:8000/aeo-manifest.schema.json>; rel="describedby"'
    assert datasets_link == '<http://127.0.0.1:8000/aeo-datasets.json>; rel="related"'
    assert len(answer.content) <= 440_000
    # Also if a reader escapes or indents it.
    assert len(json.dumps(body).encode()) < 512_000
    assert len(json.dumps(body, ensure_ascii=False, indent=1).encode()) < 512_000

    schema = Client().get("/aeo-manifest.schema.json")
    assert len(schema.content) < 64_000
    assert schema["X-Service-Schema-Hash"] == hashlib.sha256(schema.content).hexdigest()
    assert schema["ETag"] == f'"{schema["X-Service-Schema-Hash"]}"'


def test_the_counts_count_what_is_there_and_the_order_is_that_of_importance(
    served: dict[str, Any], pages: Register
) -> None:
    for name, count in served["counts"].items():
        assert count == len(served[name])
    assert served["counts"]["question_guides"] >= 14
    assert served["counts"]["long_tail_verdicts"] >= 80
    paths = [urlsplit(entry["url"]).path for entry in served["long_tail_verdicts"]]
    listed = set(paths)
    assert paths == [path for path in pages.pages if path in listed]


def test_every_address_answers_and_every_verdict_page_says_what_its_entry_says(
    served: dict[str, Any],
) -> None:
    client = Client(headers=HTML)
    for entry in served["long_tail_verdicts"]:
        page = client.get(urlsplit(entry["url"]).path)
        assert page.status_code == 200
        article, _ = structured(page.content.decode())
        assert article["articleBody"] == entry["article_body"]
        assert article["version"] == entry["ruleset_version"] == served["ruleset_version"]
        assert article["headline"] == entry["intent"]
        assert len(article["citation"]) == entry["citation_count"]
        document = client.get(f"{urlsplit(entry['url']).path}.json").json()
        assert (document["verdict"], document["article_body"]) == (entry["verdict"], entry["article_body"])
        cited = {(node["url"], node["citation_kind"], node["pulled_at"]) for node in article["citation"]}
        assert {(one["url"], one["kind"], one["pulled_at"]) for one in entry["sources"]} <= cited
    others = [entry["url"] for entry in (*served["question_guides"], *served["brand_hubs"])]
    others += [model["url"] for hub in served["brand_hubs"] for model in hub["representative_models"]]
    for path, fragment in {(urlsplit(url).path, urlsplit(url).fragment) for url in others}:
        answer = client.get(path)
        assert answer.status_code == 200
        assert f'id="{fragment}"' in answer.content.decode() or not fragment


def test_however_many_brands_there_are_half_of_the_room_is_for_verdict_pages(
    edition: Edition, pages: Register, served: dict[str, Any]
) -> None:
    content = edition.release.corpus.content
    known = next(device for device in content.devices if device.watt_hour and device.capacity_mah)
    more = [
        msgspec.structs.replace(known, model_id=f"made-up-{number}", brand=f"Made-up {number}")
        for number in range(1_500)
    ]
    corpus = Corpus(msgspec.structs.replace(content, devices=(*content.devices, *more)))
    made = manifest.make(replace(edition, release=replace(edition.release, corpus=corpus)), pages)
    body = json.loads(made.body)
    assert len(made.body) <= manifest.MAX_BYTES
    assert len(encode(body["brand_hubs"])) <= manifest.MAX_BYTES // 2 + len("[]")
    assert len(served["brand_hubs"]) < body["counts"]["brand_hubs"] == len(body["brand_hubs"]) < len(more)
    assert body["counts"]["long_tail_verdicts"] == len(body["long_tail_verdicts"]) >= 40
    # The hubs of the largest brands are there.
    largest = [hub["brand_id"] for hub in served["brand_hubs"] if hub["model_count"] > 1]
    assert [hub["brand_id"] for hub in body["brand_hubs"]][: len(largest)] == largest


def test_who_holds_it_gets_304_and_nothing_is_evaluated(
    pages: Register, now: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client()
    paths = ("/aeo-manifest.json", "/aeo-manifest.schema.json", "/aeo-preview.json")
    tags = {path: client.get(path)["ETag"] for path in paths}
    monkeypatch.setattr(manifest, "make", None)
    monkeypatch.setattr("rules.verdicts.answer_from", None)
    for path, tag in tags.items():
        answer = client.get(path, headers={"if-none-match": tag})
        assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag)


@pytest.fixture
def renewed() -> Iterator[None]:
    """Renew what this process knows, as the thread that follows the ledger does. No later test has one."""
    cached_values.renew()
    yield
    cached_values.leave_alone()


def test_the_thread_builds_the_next_one_and_readers_get_the_previous_one_until_it_is_there(
    pages: Register, now: None, renewed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, make = Client(), manifest.make
    before = client.get("/aeo-manifest.json").json()
    other = starter.published(starter.starter_content(), "2026-11-21")
    meanwhile = []

    def make_slowly(edition: Edition, pages: Register, pause_seconds: float) -> manifest.Manifest:
        meanwhile.append(client.get("/aeo-manifest.json").json())
        made = make(edition, pages, pause_seconds=pause_seconds)
        assert made == make(edition, pages)
        return made

    monkeypatch.setattr(manifest, "make", make_slowly)
    with answering_from(other):
        cached_values.renew()
        assert meanwhile == [before]
        assert client.get("/aeo-manifest.json").json()["ruleset_version"] == "2026-11-21"
        cached_values.renew()
    assert len(meanwhile) == 1


def test_identical_content_has_the_same_hash_whenever_it_is_published(
    edition: Edition, pages: Register
) -> None:
    later = replace(edition.release, published_at=edition.release.published_at + datetime.timedelta(hours=9))
    tomorrow = editions.of(later, starter.NOW + datetime.timedelta(days=1))
    first, second = manifest.make(edition, pages), manifest.make(tomorrow, pages)
    assert first.content_hash == second.content_hash
    assert first.body != second.body


def test_a_change_of_content_changes_the_hash(edition: Edition, pages: Register) -> None:
    content = starter.starter_content()
    fewer = msgspec.structs.replace(
        content,
        devices=tuple(
            msgspec.structs.replace(device, release_year=2026) if device.model_id == "anker-a1289" else device
            for device in content.devices
        ),
    )
    changed = editions.of(starter.published(fewer), starter.NOW)
    assert manifest.make(edition, pages).content_hash != manifest.make(changed, pages).content_hash


def test_where_room_is_short_the_least_important_entries_leave(edition: Edition, pages: Register) -> None:
    full = json.loads(manifest.make(edition, pages).body)
    short = manifest.make(edition, pages, most_bytes=200_000)
    body = json.loads(short.body)
    kept = body["counts"]["long_tail_verdicts"]
    assert len(short.body) <= 200_000
    assert 1 <= kept == len(body["long_tail_verdicts"]) < full["counts"]["long_tail_verdicts"]
    assert body["long_tail_verdicts"] == full["long_tail_verdicts"][:kept]
    assert body["content_hash"] != full["content_hash"]


@pytest.mark.parametrize("missing", ["watt_hour", "capacity_mah"])
def test_a_model_without_figures_stays_out_and_keeps_its_page(
    edition: Edition, pages: Register, now: None, missing: str
) -> None:
    model = next(one for one in edition.release.shelf.all_devices if getattr(one, missing) is None)
    address = articles.path(model.model_id, "BA", "GB")
    first = {address: PageRecord(address, model.model_id, "BA", "GB", starter.NOW)}
    made = json.loads(manifest.make(edition, Register(2, first | dict(pages.pages))).body)
    assert model.model_id not in {entry["model_id"] for entry in made["long_tail_verdicts"]}
    assert Client(headers=HTML).get(address).status_code == 200


def test_the_preview_shows_the_first_entries(served: dict[str, Any]) -> None:
    preview = Client().get("/aeo-preview.json").json()
    assert preview["long_tail_verdicts"] == served["long_tail_verdicts"][:25]
    assert preview["manifest_content_hash"] == served["content_hash"]


def test_a_copy_is_never_kept_beyond_the_day(pages: Register) -> None:
    with time_machine.travel(datetime.datetime(2026, 11, 21, 23, 59, 30, tzinfo=datetime.UTC), tick=False):
        assert Client().get("/aeo-manifest.json")["Cache-Control"] == (
            "public, max-age=30, stale-while-revalidate=0, stale-if-error=0, no-transform"
        )


def test_before_pages_are_worked_out_there_is_no_manifest(
    starter_release: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aeo.page_records.register.current", Register)
    answer = Client(headers=HTML).get("/aeo-manifest.json")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")


def test_a_page_of_an_airline_that_left_is_left_out(edition: Edition, pages: Register) -> None:
    content = starter.starter_content()
    rules = tuple(rule for rule in content.rules if rule.airline != "MU")
    without = editions.of(starter.published(msgspec.structs.replace(content, rules=rules)), starter.NOW)
    with answering_from(without.release):
        body = json.loads(manifest.make(without, pages).body)
    assert all(entry["airline_code"] != "MU" for entry in body["long_tail_verdicts"])
