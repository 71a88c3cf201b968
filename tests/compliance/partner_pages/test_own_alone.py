"""Each address of /partners shows and changes what belongs to one's own partner, and nothing else."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from compliance.models import Partner, PartnerKey, TripWatch, Webhook
from rules.corpus import Published
from tests.compliance.partner_pages.belongings import BEHIND, OF_A_ROW, OPEN, ROUTES, Belongings, belongings
from tests.support.desk.filling_in import fields_of
from tests.support.desk.signing_in import Browser, staff, where, with_app
from tests.support.desk.visiting import PLAIN_KEY, TOKEN
from tests.support.partner_people import SIGN_IN, a_person, signed_in

ANSWERS = {
    "days": "7",
    "overlap_days": "0",
    "url": "https://evil.example/hook",
    "events": "ruleset.published",
    "recall_models": "",
    "allowed_origins": "https://evil.example",
}
"""What the forms of the pages ask for."""


@pytest.fixture
def mine(acme: Partner, starter_release: Published) -> Belongings:
    """What the partner of the person has."""
    return belongings(acme)


@pytest.fixture
def theirs(other: Partner, starter_release: Published) -> Belongings:
    """What another partner has."""
    return belongings(other)


def test_all_kinds_of_addresses_are_known() -> None:
    assert len(ROUTES) > 30
    assert len(OF_A_ROW) == 7
    assert {*ROUTES} >= OPEN


@pytest.mark.parametrize("route", OF_A_ROW)
def test_what_belongs_to_another_partner_does_not_exist(
    route: str, mine: Belongings, theirs: Belongings
) -> None:
    browser, _ = signed_in(a_person())
    before = theirs.state()
    assert browser.get(mine.path(route)).status_code == 200
    assert browser.get(theirs.path(route)).status_code == 404
    sent = browser.submit("/partners/origins", to=theirs.path(route), **ANSWERS)
    assert sent.status_code == 404
    assert theirs.state() == before


@pytest.mark.parametrize("route", [route for route in BEHIND if route not in OF_A_ROW])
def test_no_page_names_or_changes_another_partner(route: str, mine: Belongings, theirs: Belongings) -> None:
    browser, _ = signed_in(a_person())
    before = theirs.state()
    pages = [browser.get(mine.path(route)).content.decode()]
    pages.append(browser.submit("/partners/origins", to=mine.path(route), **ANSWERS).content.decode())
    named = (theirs.key.pk, theirs.webhook.pk, str(theirs.watch.watch_id), "other.example")
    assert [name for name in named for page in pages if name in page] == []
    assert theirs.state() == before


@pytest.mark.parametrize("route", BEHIND)
def test_strangers_and_the_desk_are_sent_to_sign_in_and_change_nothing(route: str, mine: Belongings) -> None:
    app, _ = with_app(staff("editor", is_superuser=True))
    desk = Browser()
    desk.sign_in("editor")
    desk.submit("/admin/second-factor/code/", code=app.code(1))
    before = mine.state()
    path = mine.path(route)
    for browser in (Browser(), desk):
        if "/add" not in route and "/remove" not in route and "/sessions/end" not in route:
            assert where(browser.get(path)) == SIGN_IN
        sent = browser.submit(SIGN_IN, to=path, **ANSWERS)
        assert where(sent) == SIGN_IN
    assert mine.state() == before


@pytest.mark.parametrize("route", ROUTES)
def test_no_address_takes_a_form_without_its_token(route: str, mine: Belongings) -> None:
    browser, _ = signed_in(a_person())
    before = mine.state()
    path = mine.path(route) if "secret" not in route else "/partners/invitation/x"
    for sent in (ANSWERS, ANSWERS | {"csrfmiddlewaretoken": "x" * 64}):
        assert browser.client.post(path, sent).status_code == 403
    # A page of another site has no token, and is refused before that is looked at.
    elsewhere = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
    assert browser.client.post(path, ANSWERS, headers=elsewhere).status_code == 403
    assert mine.state() == before
    assert browser.get("/partners").status_code == 200


@pytest.mark.parametrize("route", ROUTES)
def test_no_cache_keeps_and_no_search_engine_lists_an_answer(route: str, mine: Belongings) -> None:
    browser, _ = signed_in(a_person())
    path = mine.path(route) if "secret" not in route else "/partners/invitation/x"
    answer = browser.client.get(path, headers={"accept-encoding": "br, gzip"})
    assert answer["Cache-Control"] == "private, no-store"
    assert "noindex" in answer["X-Robots-Tag"]
    assert answer["X-Frame-Options"] == "DENY"
    assert "Content-Encoding" not in answer.headers
    assert "Access-Control-Allow-Origin" not in answer.headers
    if answer.headers["Content-Type"].startswith("text/html") and answer.status_code == 200:
        policy = answer["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        page = answer.content.decode()
        assert '<html lang="en"' in page
        assert " style=" not in page
        assert re.findall(r"\son\w+=", page) == []


@pytest.mark.parametrize("path", ["/de/partners", "/partners/", "/partnership", "/ja/partners/sign-in"])
def test_there_are_no_other_addresses(path: str, mine: Belongings) -> None:
    assert Client(headers={"accept": "text/html"}).get(path).status_code == 404


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/partners/keys/new", {"days": "7"}),
        ("/partners/webhooks/new", {"url": "https://hooks.acme.example/x", "events": "ruleset.published"}),
    ],
)
def test_the_same_form_sent_twice_makes_one(mine: Belongings, path: str, fields: dict[str, str]) -> None:
    browser, _ = signed_in(a_person())
    page = browser.page(path)
    sent = fields | dict(re.findall(r'name="(csrfmiddlewaretoken|once)" value="(\w+)"', page))
    before = mine.state()
    assert browser.client.post(path, sent).status_code == 200
    made = mine.state()
    again = browser.client.post(path, sent)
    assert again["Location"] == path.removesuffix("/new")
    assert mine.state() == made != before


def test_a_person_makes_replaces_and_ends_keys(mine: Belongings) -> None:
    browser, _ = signed_in(a_person())
    answer = browser.submit("/partners/keys/new", days="7")
    (plain,) = PLAIN_KEY.findall(answer.content.decode())
    row = PartnerKey.objects.get(pk=plain.rpartition("_")[0])
    assert (row.partner_id, row.created_by.username) == ("acme", "pia@acme.example")
    assert plain not in browser.page("/partners/keys")
    third = browser.submit("/partners/keys/new", days="")
    assert "the partner has 2 live keys" in third.content.decode().lower()
    # A refusal keeps what was typed.
    refused = browser.submit("/partners/keys/new", days="99999")
    assert (refused.status_code, 'value="99999"' in refused.content.decode()) == (400, True)
    assert PLAIN_KEY.search(
        browser.submit("/partners/keys/replace", days="", overlap_days="0").content.decode()
    )
    assert PartnerKey.objects.live(timezone.now()).filter(partner="acme").count() == 1
    live = PartnerKey.objects.live(timezone.now()).get(partner="acme")
    path = f"/partners/keys/{live.pk}/end"
    assert browser.submit(path).status_code == 303
    assert browser.submit(path).status_code == 409


def test_a_person_changes_the_origins_and_nothing_else_of_the_agreement(mine: Belongings) -> None:
    browser, _ = signed_in(a_person())
    typed = "https://shop.example/app\nhttps://ok.example"
    refused = browser.submit("/partners/origins", allowed_origins=typed)
    assert refused.status_code == 400
    assert "https://ok.example" in refused.content.decode()
    answer = browser.submit(
        "/partners/origins",
        allowed_origins="HTTPS://Shop.example/\nhttps://ok.example",
        rate_per_minute="99999",
        receipts="on",
    )
    assert answer.status_code == 303
    partner = Partner.objects.get(pk="acme")
    assert partner.allowed_origins == ["https://shop.example", "https://ok.example"]
    assert (partner.rate_per_minute, partner.receipts) == (600, False)


def test_a_person_registers_tests_changes_and_ends_webhooks(mine: Belongings) -> None:
    browser, _ = signed_in(a_person())
    shown = browser.submit(
        "/partners/webhooks/new", url="https://hooks.acme.example/x", events="ruleset.published"
    ).content.decode()
    assert "whsec_" in shown
    row = Webhook.objects.get(url="https://hooks.acme.example/x")
    page = f"/partners/webhooks/{row.pk}"
    assert "whsec_" not in browser.page(page)
    assert browser.submit(f"{page}/test").status_code == 303
    assert "webhook.test" in browser.page(page)
    assert browser.submit(f"{page}/test").status_code == 409
    assert browser.submit(f"{page}/events", events="trip_watch.changed").status_code == 303
    refused = browser.submit(f"{page}/events", events="recall.added", recall_models="nothing-1")
    assert (refused.status_code, "nothing-1" in refused.content.decode()) == (409, True)
    assert browser.submit(f"{page}/end").status_code == 303
    row.refresh_from_db()
    assert (row.events, row.ended_because) == (["trip_watch.changed"], "ended by the partner")
    refused = browser.submit("/partners/webhooks/new", url="https://127.0.0.1/x", events="ruleset.published")
    assert (refused.status_code, "https://127.0.0.1/x" in refused.content.decode()) == (409, True)


def test_of_two_people_the_second_sees_first_which_events_the_first_chose(mine: Belongings) -> None:
    browser, _ = signed_in(a_person())
    browser.submit("/partners/webhooks/new", url="https://hooks.acme.example/x", events="ruleset.published")
    row = Webhook.objects.get(url="https://hooks.acme.example/x")
    events = f"/partners/webhooks/{row.pk}/events"
    form = fields_of(browser, events)  # type: ignore[arg-type]
    assert browser.submit(events, events="trip_watch.changed").status_code == 303

    refused = browser.client.post(events, {**form, "events": "ruleset.published"})

    assert refused.status_code == 409
    assert "were changed after you opened this page" in refused.content.decode()
    row.refresh_from_db()
    assert row.events == ["trip_watch.changed"]


def test_a_person_sends_a_delivery_again(mine: Belongings) -> None:
    browser, _ = signed_in(a_person())
    path = mine.path("/partners/deliveries/<uuid:delivery_id>/again")
    assert browser.submit(path).status_code == 303
    mine.delivery.refresh_from_db()
    assert mine.delivery.outcome == "waiting"
    assert browser.submit(path).status_code == 409


def test_a_person_sees_watches_and_ends_one(mine: Belongings) -> None:
    browser, _ = signed_in(a_person())
    page = browser.page("/partners/watches")
    assert str(mine.watch.watch_id) in page
    assert "anker-a1289" in page
    assert mine.watch.digest not in page
    assert browser.submit(mine.path("/partners/watches/<uuid:watch_id>/end")).status_code == 303
    assert not TripWatch.objects.filter(partner="acme").exists()


def test_every_page_is_made_by_few_queries(mine: Belongings) -> None:
    browser, _ = signed_in(a_person())
    for route in BEHIND:
        with CaptureQueriesContext(connection) as queries:
            browser.get(mine.path(route))
        assert len(queries) <= 16, (route, len(queries))


def test_the_token_of_a_page_is_another_at_each_sight(mine: Belongings) -> None:
    browser, _ = signed_in(a_person())
    assert len({TOKEN.search(browser.page("/partners/keys"))[1] for _ in range(3)}) == 3  # type: ignore[index]
