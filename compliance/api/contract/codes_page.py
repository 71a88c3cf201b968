"""`docs/codes.md`: the list of codes for people, made from the list that `GET /api/codes` gives."""

from collections.abc import Iterable, Iterator

from django.conf import settings

from compliance.api.protocol.codes import EXAMPLES, VERSION, Kind, ListedCode, listed

_HEAD = f"""\
# Codes

Every code that answers and errors can have. Programs read the same list, with sentences in eight languages,
from `GET /api/codes`:

```
curl -s 'http://127.0.0.1:8000/api/codes?kind=warning&language=de'
```

The enumerations of `/openapi.yaml` have exactly these codes: `ConstraintCode`, `WarningCode`, `GapCode`,
`NextStepCode`, `ProblemCode`, `FieldErrorCode`, and `RuleCode` for those that a rule can have. *Since* is the
first version of the contract that has the code; this is version {VERSION}. A later version may add codes.
Treat a code that you do not know as *not allowed*, and show its `message`.

Names in braces are values; an answer has them filled in. Some codes have several sentences: an answer has one
of them.
"""

_TEXTS: dict[Kind, tuple[str, str]] = {
    "constraint": (
        "Constraints",
        """\
In `constraints`. The nature says what a code does: a limit is met or bans, a precondition must be shown
first, conduct is how to carry the unit, and a prohibition bans. Answers write `max_units` with its number:
`max_units_2`, or `max_units_over_100wh_2` if it counts only units over so many watt-hours.""",
    ),
    "warning": ("Warnings", "In `warnings`: what the traveler should know."),
    "gap": (
        "Gaps",
        "What is missing when a verdict is `insufficient`: in `decided_by` of an itinerary.",
    ),
    "next_step": (
        "Next steps",
        """\
In `suggested_next_step`. A step clears nothing: do it, and ask again. Steps that only errors suggest are for
the developer of the client, and have English sentences alone.""",
    ),
    "error": (
        "Errors",
        """\
In `code` of `application/problem+json`. Texts are in English alone: their reader is the developer of the
client. The `detail` of an answer is often more exact than here.""",
    ),
    "field_error": (
        "Wrong fields",
        "In `code` of each of `errors`, next to a `message` that says what to send.",
    ),
}

_TAIL = """
## For operators

`make contract` makes this page from the code. [How a verdict is made](how-a-verdict-is-made.md) says what
each nature does.
"""


def codes_page() -> str:
    """Return the page, as Markdown."""
    sections = (_section(kind, [one for one in listed() if one.kind == kind]) for kind in _TEXTS)
    return _HEAD + "".join(sections) + _TAIL


def _section(kind: Kind, codes: Iterable[ListedCode]) -> str:
    title, text = _TEXTS[kind]
    # A list, because codes do not fit into the columns of a narrow table.
    return f"\n## {title}\n\n{text}\n\n" + "".join(_line(one) for one in codes)


def _line(one: ListedCode) -> str:
    said = [each.text[settings.LANGUAGE_CODE] for each in one.sentences]
    sentences = " *or* ".join(dict.fromkeys(f"{one.title}. {text}" if one.title else text for text in said))
    about = ", ".join((*_about(one), f"since {one.since}"))
    examples = EXAMPLES.get(one.code, ())
    written = f", in answers {' or '.join(f'`{code}`' for code in examples)}" if examples else ""
    return f"- `{one.code}`{written} ({about}): {sentences}\n"


def _about(one: ListedCode) -> Iterator[str]:
    match one.kind:
        case "constraint":
            yield str(one.nature)
        case "warning":
            yield f"{one.severity}, at worst {one.at_worst}" if one.at_worst else str(one.severity)
        case "error":
            yield f"status {one.status}"
