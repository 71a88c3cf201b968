"""The requests to both services: every public address, and many questions.

The requests come from a service's own lists: its sitemaps, its API and its sandbox. The same seed and the
same service always give the same requests.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import urlencode

import yaml

from compliance.services.embedded import REPOSITORY

TYPED = REPOSITORY / "aeo" / "asking" / "sentences"
OUTCOMES = "/sandbox/api/outcomes"

LANGUAGES = ("", "/de", "/es", "/fr", "/ja", "/ko", "/zh-hans", "/zh-hant")
FIXED = (
    *("/healthz", "/openapi.yaml", "/api/docs/", "/.well-known/security.txt", "/.well-known/jwks.json"),
    *("/aeo-manifest.json", "/aeo-manifest.schema.json", "/aeo-preview.json", "/aeo-datasets.json"),
    *("/robots.txt", "/llms.txt", "/sitemap.xml", "/sitemaps/pages.xml", "/sitemaps/references-1.xml"),
    *("/sitemaps/verdicts-1.xml", "/datasets/changes.json", "/feeds/rulesets.atom", "/embed.js"),
    *("/feeds/effective-dates.ics", "/card-worker.js", "/card/offline", "/api/coverage", "/developers"),
    *(
        "/developers/limits",
        "/developers/quick-start.md",
        "/embed/theme.css",
        "/embed",
        "/watch",
        OUTCOMES,
        "/no-such-page",
        "/api/no-such-list",
    ),
)


class Request(NamedTuple):
    """One request. Headers are pairs; a body is JSON text."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""


Get = Callable[[str], bytes]

MARKDOWN = (("accept", "text/markdown"),)


def requests(get: Get, seed: int) -> list[Request]:
    """Yield the requests; `get` reads from the service that the other is compared with."""
    chance = random.Random(seed)
    listed = _listed(get)
    found = dict.fromkeys(
        (
            *(Request("GET", path) for path in FIXED),
            *_pages(get, listed, chance),
            *_reads(listed, chance),
            *_verdicts(listed, chance),
            *itineraries(listed, chance),
            *_sandbox(get),
            *_agents(listed, chance),
            *_sentences(chance),
            *_forms(listed, chance),
        )
    )
    return list(found)


class Listed(NamedTuple):
    """The lists of the API: identifiers, in its order."""

    models: list[str]
    airlines: list[str]
    rules: list[str]
    recalls: list[dict[str, Any]]
    countries: list[str]


def _listed(get: Get) -> Listed:
    def every(kind: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        cursor = ""
        while True:
            page = json.loads(get(f"/api/{kind}?limit=100{cursor}"))
            rows += page[kind.replace("-", "_")]
            if page["next_cursor"] is None:
                return rows
            cursor = f"&cursor={page['next_cursor']}"

    countries = re.findall(r"/countries/([a-z]{2})<", get("/sitemaps/references-1.xml").decode())
    return Listed(
        models=[row["model_id"] for row in every("devices")],
        airlines=[row["airline"] for row in every("airlines")],
        rules=[row["rule_id"] for row in every("rules")],
        recalls=every("recalls"),
        countries=sorted({code.upper() for code in countries}),
    )


def _pages(get: Get, listed: Listed, chance: random.Random) -> Iterator[Request]:
    """Yield pages of every kind in all their forms and languages."""
    addresses = [
        unescape(address)
        for shard in re.findall(r"<loc>[^<]*?(/sitemaps/[^<]+)</loc>", get("/sitemap.xml").decode())
        for address in re.findall(r"<url><loc>https?://[^/<]+([^<]*)</loc>", get(unescape(shard)).decode())
    ]
    verdicts = [path for path in addresses if path.startswith("/p/")]
    translated = [path for path in addresses if path.startswith(tuple(f"{one}/" for one in LANGUAGES[1:]))]
    apart = {*verdicts, *translated}
    chosen = [path for path in addresses if path not in apart]
    for more, most in ((verdicts, 300), (translated, 3_000)):
        chosen += chance.sample(more, min(most, len(more)))
    for path in chosen:
        yield Request("GET", path)
    for path in chance.sample(chosen, 300):
        language = chance.choice(LANGUAGES[1:])
        yield Request("GET", f"{language}{path}".rstrip("/") or "/")
        for form in ("application/json", "text/markdown"):
            yield Request("GET", path, (("accept", form),))
        yield Request("GET", path, (("if-none-match", '"another"'),))
    for _ in range(300):
        model, airline = chance.choice(listed.models), chance.choice(listed.airlines).lower()
        country = chance.choice(listed.countries).lower()
        path = f"/p/{model}/{airline}/{country}{chance.choice(('', '', '.json', '/'))}"
        yield Request("GET", chance.choice(("", *LANGUAGES)) + path)
    for name in dict.fromkeys(re.findall(rb'/datasets/[^"?]+?\.[a-z]+', get("/datasets"))):
        yield Request("GET", name.decode())


def _reads(listed: Listed, chance: random.Random) -> Iterator[Request]:
    """Yield reads of the API, with filters, and some that are refused."""
    for kind in ("devices", "airlines", "rules", "sources", "recalls", "policy-changes"):
        for query in ("", "?limit=3", "?limit=0", "?limit=x", "?unknown=1", "?cursor=x", "?q=anker"):
            yield Request("GET", f"/api/{kind}{query}")
    for name in listed.models:
        yield Request("GET", f"/api/devices/{name}")
    for name in chance.sample(listed.models, 100):
        yield Request("GET", f"/api/devices/{name}/recalls")
        yield Request("GET", f"/api/sources?model_id={name}")
    for code in listed.airlines:
        yield Request("GET", f"/api/airlines/{code}")
        yield Request("GET", f"/api/rules?airline={code}")
        yield Request("GET", f"/feeds/airlines/{code}.atom")
    for name in chance.sample(listed.rules, 200):
        yield Request("GET", f"/api/rules/{name}")
    for recall in listed.recalls:
        model = recall["model_id"]
        yield Request("GET", f"/feeds/recalls/models/{model}.atom")
        for serial in ("35S24B8A013027", "0123"):
            yield Request("GET", f"/api/recalls?model_id={model}&serial={serial}")
    for text in ("anker 20k", "xiaomi", "lon", "dub", "emi", "a", "ü", "90 wh"):
        for kind in ("models", "airlines", "places"):
            yield Request("GET", f"/suggest/{kind}?{urlencode({'q': text})}")


def _verdicts(listed: Listed, chance: random.Random) -> Iterator[Request]:
    """Yield questions of one flight, of trips and in batches, and some that are refused."""
    asked = [_question(listed, chance) for _ in range(1_500)]
    for body in asked:
        yield _post("/api/verify", body)
    for body in asked[:600]:
        trip = dict(body["trip"], transit=chance.sample(listed.countries, chance.randint(0, 3)))
        device = {"model_id": body["model_id"], "quantity": body.get("quantity", 1)}
        yield _post("/api/trips/verify", {"device": device, "trip": trip})
    for start in range(0, 200, 20):
        yield _post("/api/verify/batch", {"items": asked[start : start + 20]})
    for body in asked[:200]:
        wrong = dict(body)
        field = chance.choice((*body, "unknown"))
        wrong[field] = chance.choice((None, "", 0, -1, [], {}, "x" * 400, True))
        yield _post("/api/verify", wrong)
    for text in ("", "{", "[]", "null", '{"model_id": 1}', "\u00e9"):
        for path in ("/api/verify", "/api/trips/verify", "/api/verify/batch", "/api/receipts/check", "/mcp"):
            yield Request("POST", path, (("content-type", "application/json"),), text)


def _question(listed: Listed, chance: random.Random) -> dict[str, Any]:
    trip: dict[str, Any] = {
        "origin": chance.choice(listed.countries),
        "destination": chance.choice(listed.countries),
        "airline": chance.choice(listed.airlines),
    }
    if chance.random() < 0.3:
        trip["date"] = chance.choice(("2026-12-24", "2027-01-01", "2027-06-30", "2024-01-01"))
    body: dict[str, Any] = {"model_id": chance.choice(listed.models), "trip": trip}
    for name, values in (
        ("quantity", (1, 2, 3, 6, 21)),
        ("compartment_intent", ("carry_on", "checked", "on_person")),
        ("ccc_mark", ("present", "absent", "unknown")),
        ("capacity_label", ("legible", "missing", "unknown")),
        ("condition", ("intact", "damaged", "unknown")),
        ("recall_check", ("affected", "not_affected", "not_checked")),
        ("serial", ("35S24B8A013027", "0123", "BS30KP365-01A")),
    ):
        if chance.random() < 0.25:
            body[name] = chance.choice(values)
    return body


def itineraries(listed: Listed, chance: random.Random) -> Iterator[Request]:
    """Yield itineraries: for the API, in batches, and for pages, cards and frames."""
    asked = [_itinerary(listed, chance) for _ in range(400)]
    for body in asked:
        yield _post("/api/itineraries/verify", body)
    for start in range(0, 100, 20):
        yield _post("/api/itineraries/verify/batch", {"items": asked[start : start + 20]})
    for body in asked[:150]:
        query = urlencode(list(_parameters(body)))
        for page in ("/itinerary", "/itinerary/card", "/embed/demo/itinerary"):
            yield Request("GET", f"{chance.choice(LANGUAGES)}{page}?{query}")
        yield Request("GET", f"/itinerary?{query}", MARKDOWN)


def _itinerary(listed: Listed, chance: random.Random) -> dict[str, Any]:
    """Return an itinerary of up to three people, three kinds of power banks and three flights."""
    people = chance.randint(1, 3)
    items: list[dict[str, Any]] = []
    for _ in range(chance.randint(1, 3)):
        label = {"watt_hour": chance.choice((37, 74, 99.9, 120, 161)), "capacity_mah": 20_000, "voltage": 3.7}
        named = chance.sample(sorted(label), chance.randint(1, 2))
        by_label = {"label": {name: label[name] for name in named if named != ["voltage"]}}
        by_model = {"model_id": chance.choice(listed.models)}
        items.append(by_label if chance.random() < 0.2 and by_label["label"] else by_model)
        for name, values in (
            ("quantity", (2, 3)),
            ("compartment_intent", ("checked", "on_person")),
            ("ccc_mark", ("present", "absent")),
            ("condition", ("intact", "damaged")),
            ("carried_by", range(1, people + 1)),
        ):
            if chance.random() < 0.25:
                items[-1][name] = chance.choice(values)
    days = ("2026-12-24", "2027-01-02", "2027-06-30") if chance.random() < 0.7 else (None, None, None)
    segments = []
    for airline, day in zip(chance.sample(listed.airlines, chance.randint(1, 3)), days, strict=False):
        who = chance.choice(("operating_airline", "operating_airline", "marketing_airline"))
        ends = {"origin": chance.choice(listed.countries), "destination": chance.choice(listed.countries)}
        segments.append({**ends, who: airline, **({"date": day} if day else {})})
    return {"passengers": people, "items": items, "segments": segments}


PARAMETERS = {
    "model_id": "model", "watt_hour": "wh", "capacity_mah": "mah", "voltage": "v", "quantity": "count",
    "compartment_intent": "bag", "ccc_mark": "mark", "condition": "condition", "carried_by": "by",
    "operating_airline": "airline", "marketing_airline": "sold", "origin": "from", "destination": "to",
    "date": "date",
}  # fmt: skip
"""The parameters of pages for the fields of the API, in the order in which addresses have them."""


def _parameters(body: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the parameters of the page about an itinerary."""
    if body["passengers"] > 1:
        yield "people", body["passengers"]
    for part in (body["items"], body["segments"]):
        for at, fields in enumerate(part, start=1):
            said = fields | fields.get("label", {})
            for field, name in PARAMETERS.items():
                if field in said:
                    yield name if at == 1 else f"{name}_{at}", said[field]


def _post(path: str, body: Any) -> Request:
    return Request("POST", path, (("content-type", "application/json"),), json.dumps(body))


def _sandbox(get: Get) -> Iterator[Request]:
    for outcome in json.loads(get(OUTCOMES))["outcomes"]:
        if outcome["expect"].get("fault") is None:
            yield _post(f"/sandbox/api{outcome['path']}", outcome["request"])
    for kind in ("devices", "airlines", "rules", "sources", "recalls"):
        yield Request("GET", f"/sandbox/api/{kind}")


def _agents(listed: Listed, chance: random.Random) -> Iterator[Request]:
    """Yield messages of agents: the lists, and calls of each tool."""

    def message(method: str, params: dict[str, Any]) -> Request:
        accept = ("accept", "application/json, text/event-stream")
        headers = (accept, ("content-type", "application/json"), ("mcp-protocol-version", "2025-11-25"))
        body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
        return Request("POST", "/mcp", headers, body)

    for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list", "ping"):
        yield message(method, {})
    for _ in range(40):
        model, airline = chance.choice(listed.models), chance.choice(listed.airlines)
        places = {"origin": chance.choice(listed.countries), "destination": chance.choice(listed.countries)}
        for tool, arguments in (
            ("search_models", {"q": model.replace("-", " ")}),
            ("get_model", {"model_id": model}),
            ("verify_power_bank", {"model_id": model, "airline": airline, **places}),
            ("verify_trip", {"model_id": model, "airline": airline, "transit": ["KR"], **places}),
            (
                "verify_itinerary",
                {"items": [{"model_id": model}], "segments": [{"operating_airline": airline, **places}]},
            ),
            ("check_recall", {"model_id": model, "serial": "35S24B8A013027"}),
            ("get_airline_policy", {"airline": airline}),
            ("search_rules", {"airline": airline}),
            ("get_sources", {"model_id": model}),
            ("list_policy_changes", {"airline": airline}),
            ("verify_power_bank", {"model_id": model}),
        ):
            yield message("tools/call", {"name": tool, "arguments": arguments})


def _sentences(chance: random.Random) -> Iterator[Request]:
    """Yield sentences that travelers typed, in their language, and some as a trip."""
    for file in sorted(TYPED.glob("*.yaml")):
        language = "" if file.stem == "en" else f"/{file.stem}"
        for row in yaml.load(file.read_text(), Loader=yaml.CSafeLoader):
            query = urlencode({"q": row["say"]})
            yield Request("GET", f"{language}/check?{query}")
            if chance.random() < 0.1:
                yield Request("GET", f"{language}/trip?{query}")


def _forms(listed: Listed, chance: random.Random) -> Iterator[Request]:
    """Yield filled forms of the site: answers, trips and cards."""
    for _ in range(150):
        query = {
            "model": chance.choice(listed.models),
            "airline": chance.choice(listed.airlines),
            "from": chance.choice(listed.countries),
            "to": chance.choice(listed.countries),
        }
        if chance.random() < 0.3:
            query["count"] = chance.choice(("2", "3", "x"))
        for page in ("/check", "/trip", "/card", "/embed/"):
            yield Request("GET", f"{chance.choice(LANGUAGES)}{page}?{urlencode(query)}")
        yield Request("GET", f"{chance.choice(('/check', '/trip'))}?{urlencode(query)}", MARKDOWN)
