"""Makes requests that no page and no program sends. The same seed and number always make the same request."""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from checks.hostile import values

Draw = random.Random
Fields = Sequence[tuple[str, str]]

FORM = "application/x-www-form-urlencoded"
BOUNDARY = "hostile0123456789"

METHODS_OF_THE_DESK = {"GET": 38, "POST": 55, "HEAD": 2, "OPTIONS": 1, "PUT": 2, "DELETE": 1, "\xb2": 1}
METHODS_OF_READS = {"GET": 82, "POST": 8, "HEAD": 5, "OPTIONS": 3, "PUT": 1, "TRACE": 1}
METHODS_OF_WRITES = {"POST": 85, "GET": 5, "HEAD": 5, "OPTIONS": 3, "PUT": 1, "TRACE": 1}
"""How often each method is drawn."""


class Request(NamedTuple):
    """A request as it is sent. `route` is the address with its places, `role` the sender, if signed in."""

    route: str
    method: str
    target: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    role: str = ""


class Known(NamedTuple):
    """What exists, so that requests reach further than a refusal of unknown names."""

    ids: Mapping[str, Sequence[str]]
    """By the beginning of an address, or the name of a parameter: ids that it takes, ready for an address."""
    words: Mapping[str, Sequence[str]]
    """By the name of a parameter: values that it takes."""
    forms: Mapping[str, Fields]
    """By address: the fields of the form on its page."""
    documents: Mapping[str, Sequence[Any]]
    """By address: JSON documents that it takes."""


def filled(draw: Draw, route: str, known: Known) -> str:
    """Return an address of a route, with ids that exist or that cannot."""

    def choose(place: re.Match[str]) -> str:
        name = place[0].strip("<>").rpartition(":")[2]
        fitting = [*known.words.get(name, ())]
        if not fitting:
            fitting = [one for start, ids in known.ids.items() if route.startswith(start) for one in ids]
        if fitting and draw.random() < 0.6:
            return draw.choice(fitting)
        return draw.choice(draw.choice((values.IDS, values.MORE_IDS)))

    address = re.sub(r"<[^>]+>", choose, route)
    # The line of a request is ASCII.
    return quote(address, safe="/%~+*'();:@&=,!$-._")


def query(draw: Draw, names: Sequence[str], words: Mapping[str, Sequence[str]]) -> str:
    """Return a query with some of the known names, mostly with values that fit none."""
    shape = draw.random()
    if shape < 0.3:
        return ""
    if shape < 0.33:
        return draw.choice(values.QUERIES)
    if shape < 0.45:
        return draw.choice(
            ("%", "&&&", "=", "a=1;b=2", "%00=%00", "&".join(["x=1"] * 1200), "?" * 200, "a[]=1")
        )
    pairs = [(name, value(draw, name, words)) for name in draw.choices(names, k=draw.randrange(1, 5))]
    return encoded(pairs)[:6000]


def value(draw: Draw, name: str, words: Mapping[str, Sequence[str]]) -> str:
    """Return a value for a field or a parameter: one that fits, if it is known, or one that does not."""
    if name.endswith("_FORMS"):
        return draw.choice(values.NUMBERS_OF_FORMS)
    fitting = words.get(name)
    if fitting and draw.random() < 0.5:
        return draw.choice(fitting)
    # The first check of all refuses U+0000, so most requests are without it.
    return draw.choice(values.TEXTS) if draw.random() < 0.05 else draw.choice(values.STORED_TEXTS)


def encoded(pairs: Fields) -> str:
    """Write pairs as a form does. Lone surrogates become bytes that are no UTF-8."""
    return urlencode(pairs, quote_via=quote, encoding="utf-8", errors="surrogatepass")


def some_headers(draw: Draw) -> tuple[tuple[str, str], ...]:
    """Return none, one or several hostile headers."""
    return tuple(draw.sample(values.HEADERS, draw.choice((0, 0, 0, 0, 1, 1, 2, 5))))


def admin(seed: int, number: int, routes: Sequence[str], roles: Sequence[str], known: Known) -> Request:
    """Return a request of the signed-in desk. Roles take turns."""
    draw = random.Random(f"{seed} admin {number}")
    role, route = roles[number % len(roles)], draw.choice(routes)
    target = filled(draw, route, known)
    asked = query(draw, [*values.NAMES, *known.words], known.words)
    method = draw.choices([*METHODS_OF_THE_DESK], [*METHODS_OF_THE_DESK.values()])[0]
    headers: list[tuple[str, str]] = [("Accept", "text/html")] if draw.random() < 0.8 else []
    # A host or a session of another kind would only be refused.
    headers += [one for one in some_headers(draw) if one[0] not in {"Host", "Cookie", "Origin"}]
    body = b""
    if method in {"POST", "PUT"}:
        kind, body = desk_body(draw, route, known)
        headers.append(("Content-Type", kind if draw.random() < 0.95 else draw.choice(values.TYPES)))
    whole = f"{target}?{asked}" if asked else target
    return Request(route, method, whole, tuple(headers), body, role)


def desk_body(draw: Draw, route: str, known: Known) -> tuple[str, bytes]:
    """Return a type and a body for the desk."""
    shape = draw.random()
    if shape < 0.08:
        return "application/json", draw.choice(values.JSON).encode("utf-8", "surrogatepass")
    if shape < 0.12:
        count = draw.choice((500, 1999, 2001))
        return FORM, encoded([(f"field-{number}", "1") for number in range(count)]).encode()
    if shape < 0.15:
        return FORM, draw.choice(
            (b"%", b"&" * 3000, b"\xff\xfe=\xff", b"=", b"a=%ED%A0%80&%ED%A0%80=a", b"\0" * 100)
        )
    fields = [*known.forms.get(route, ())]
    if not fields or draw.random() < 0.2:
        chosen = draw.choice((*values.BODIES, *values.BODIES[2:3] * 5, {}, {}, {}))
        fields = [
            (name, text)
            for name, given in chosen.items()
            for text in (given if isinstance(given, list) else [given])
        ]
        fields += [(name, value(draw, name, known.words)) for name in draw.choices([*known.words], k=3)]
    fields = spoiled(draw, fields, known)
    if draw.random() < 0.25 or "import" in route:
        return multipart(draw, fields)
    return FORM, encoded(fields).encode()


def spoiled(draw: Draw, fields: Fields, known: Known) -> list[tuple[str, str]]:
    """Change, drop, repeat or add some fields of a form."""
    changed = [*fields]
    for _ in range(draw.choice((0, 1, 1, 1, 2, 3, 8))):
        at = draw.randrange(len(changed)) if changed else 0
        name = changed[at][0] if changed else "name"
        match draw.choice(("change", "change", "change", "change", "drop", "repeat", "add")):
            case "change" if changed:
                changed[at] = (name, value(draw, name, known.words))
            case "drop" if changed:
                del changed[at]
            case "repeat" if changed:
                changed.insert(at, (name, value(draw, name, known.words)))
            case _:
                new = draw.choice(
                    ("_save", "_popup", "post", "action", "reason", "confirm", "_saveasnew", "x" * 3000)
                )
                changed.append((new, draw.choice(("yes", "1", draw.choice(values.TEXTS)))))
    return changed


def multipart(draw: Draw, fields: Fields) -> tuple[str, bytes]:
    """Return the type and the body of a form with a file, or with several."""
    parts = [
        f'Content-Disposition: form-data; name="{name}"\r\n\r\n{text}'.encode("utf-8", "surrogatepass")
        for name, text in fields
    ]
    for _ in range(draw.choice((1, 1, 1, 1, 2, 40))):
        name = draw.choice(("file", "file", "file", "upload", "\0", ""))
        head = f'Content-Disposition: form-data; name="{name}"; filename="{draw.choice(values.FILE_NAMES)}"'
        kind = draw.choice(("text/csv", "application/json", "²", "text/plain; charset=²"))
        coding = draw.choice(("", "", "", "\r\nContent-Transfer-Encoding: base64"))
        parts.append(f"{head}\r\nContent-Type: {kind}{coding}\r\n\r\n".encode() + draw.choice(values.FILES))
    line = f"--{BOUNDARY}\r\n".encode()
    end = draw.choice((f"\r\n--{BOUNDARY}--\r\n".encode(),) * 5 + (b"",))
    return f"multipart/form-data; boundary={BOUNDARY}", line + (b"\r\n" + line).join(parts) + end


def public(
    seed: int, number: int, routes: Mapping[str, Sequence[str]], known: Known, sentence: Callable[[Draw], str]
) -> Request:
    """Return a request of a stranger or a program. `routes` are addresses with the parameters they take."""
    draw = random.Random(f"{seed} public {number}")
    route, takes = draw.choice([*routes.items()])
    target = filled(draw, route, known)
    if draw.random() < 0.25:
        target = f"/{draw.choice(('ja', 'de', 'zh-hans', 'fr', 'es', 'ko', 'zh-hant', 'en', 'xx'))}{target}"
    words = {**known.words, "q": [sentence(draw), *known.words.get("q", ())]}
    # A page that takes no parameters only leads to its address without them.
    asked = query(draw, takes or sorted(words), words) if takes or draw.random() < 0.1 else ""
    documents = known.documents.get(route)
    writes = documents is not None or route in {"/watch", "/watch/<str:secret>/end"}
    methods = METHODS_OF_WRITES if writes else METHODS_OF_READS
    method = draw.choices([*methods], [*methods.values()])[0]
    headers, body = [*some_headers(draw)], b""
    if draw.random() < 0.5:
        headers.append(("Accept", "text/html,application/xhtml+xml"))
    if method in {"POST", "PUT"}:
        kind, body = public_body(draw, documents, words)
        headers.append(("Content-Type", kind if draw.random() < 0.95 else draw.choice(values.TYPES)))
        if route == "/mcp":
            headers.append(("Accept", "application/json, text/event-stream"))
    return Request(route, method, f"{target}?{asked}" if asked else target, tuple(headers), body)


def public_body(
    draw: Draw, documents: Sequence[Any] | None, words: Mapping[str, Sequence[str]]
) -> tuple[str, bytes]:
    """Return a type and a body: a document with hostile parts, or a form."""
    if documents and draw.random() < 0.85:
        return "application/json", document(draw, draw.choice(documents)).encode("utf-8", "surrogatepass")
    if draw.random() < 0.3:
        return "application/json", draw.choice(values.JSON).encode("utf-8", "surrogatepass")
    names = draw.choices([*words, "trip"], k=draw.randrange(1, 6))
    trip = encoded([(name, value(draw, name, words)) for name in draw.choices([*words], k=4)])[:5000]
    fields = [(name, trip if name == "trip" else value(draw, name, words)) for name in names]
    if draw.random() < 0.2:
        return multipart(draw, fields)
    return FORM, encoded(fields).encode()


def document(draw: Draw, fitting: Any) -> str:
    """Return a JSON document in which some values, names or brackets are hostile."""
    marks: list[str] = []
    changed = fitting
    for _ in range(draw.choice((0, 1, 1, 1, 2, 4))):
        changed = _replaced(draw, changed, marks)
    text = json.dumps(changed, ensure_ascii=draw.random() < 0.5)
    for number, mark in enumerate(marks):
        text = text.replace(f'"<<{number}>>"', mark)
    match draw.randrange(12):
        case 0:
            return text[: draw.randrange(len(text) + 1)]
        case 1:
            return draw.choice(("\ufeff", "\0", " " * 5000, "[", "//x\n")) + text
        case 2:
            return text + draw.choice(("\0", "}", text, ","))
    return text


def _replaced(draw: Draw, found: Any, marks: list[str]) -> Any:
    """Return a document with a mark in place of one of its values; `marks` gets what the mark stands for."""
    if isinstance(found, dict) and found and draw.random() < 0.9:
        name = draw.choice([*found])
        if draw.random() < 0.1:
            return {key: one for key, one in found.items() if key != name}
        if draw.random() < 0.1:
            return {**found, draw.choice(("²", "__proto__", "a" * 2000, "\0", name.upper())): found[name]}
        return {**found, name: _replaced(draw, found[name], marks)}
    if isinstance(found, list) and found and draw.random() < 0.8:
        at = draw.randrange(len(found))
        if draw.random() < 0.1:
            return found * draw.choice((2, 60))
        return [*found[:at], _replaced(draw, found[at], marks), *found[at + 1 :]]
    marks.append(draw.choice(values.JSON))
    return f"<<{len(marks) - 1}>>"
