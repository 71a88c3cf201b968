"""GET /api/codes: every code of answers and errors, with its sentences in eight languages."""

import functools
from typing import Annotated, get_args

import msgspec
from msgspec import Meta

from compliance.api.protocol import parameters
from compliance.api.protocol.codes import EXAMPLES, VERSION, WRITTEN_AS, Kind, ListedCode, listed
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.views import Reading, ReadView
from compliance.api.verdicts.bounds import LANGUAGES
from rules.engine.vocabulary import Nature, Severity
from rules.wording.code_sentences import CodeSentence, Number

KIND = parameters.choice("kind", "Only codes of this kind.", get_args(Kind))
LANGUAGE = parameters.language(
    "language",
    "Only texts in this language, which makes the answer much smaller. Sentences that exist in English alone "
    "stay in English. Absent: all eight languages.",
    LANGUAGES,
)


class CodeSentenceBody(msgspec.Struct, omit_defaults=True):
    """One sentence of a code, not yet filled in."""

    text: Annotated[
        dict[str, str],
        Meta(
            description="The sentence by language, with the names of values in braces: `{max_units}`. "
            "Sentences for the developers of clients are in English alone."
        ),
    ]
    parameters: Annotated[
        tuple[str, ...],
        Meta(
            description="The names in braces; absent if there are none. Of several sentences, an answer has "
            "the one whose values are known."
        ),
    ] = ()
    number: Annotated[
        Number | None,
        Meta(description="For a sentence that counts: said for a single unit (`one`) or several (`other`)."),
    ] = None


class CodeBody(msgspec.Struct, omit_defaults=True):
    """A code, and what is said with it."""

    code: Annotated[
        str, Meta(description="For programs.", examples=["airline_approval_required", "RATE_LIMITED"])
    ]
    kind: Annotated[
        Kind,
        Meta(
            description="Where the code is: in `constraints`, in `warnings`, in `decided_by` of an itinerary "
            "when something is missing (`gap`), in `suggested_next_step`, in an error, or in its `errors` "
            "(`field_error`)."
        ),
    ]
    since: Annotated[
        str, Meta(description="The first version of the contract that has the code.", examples=["1.0.0"])
    ]
    sentences: Annotated[
        list[CodeSentenceBody],
        Meta(description="What answers say with the code. Errors often say it more exactly."),
    ]
    nature: Annotated[
        Nature | None, Meta(description="What kind of statement a constraint or a warning is.")
    ] = None
    severity: Annotated[Severity | None, Meta(description="How serious a warning is.")] = None
    severity_at_worst: Annotated[
        Severity | None,
        Meta(description="How serious a warning is in grave cases; absent if that makes no difference."),
    ] = None
    status: Annotated[int | None, Meta(description="The HTTP status of an error.")] = None
    title: Annotated[str | None, Meta(description="The title of an error, in English.")] = None
    written_as: Annotated[
        str | None,
        Meta(
            description="How answers write a code that contains numbers, as a regular expression; absent if "
            "they write the code itself. Compare codes of answers with it: `max_units_2` is not in this "
            "list.",
            examples=["^max_units_([1-9]|1[0-9]|20)$"],
        ),
    ] = None
    examples: Annotated[
        tuple[str, ...],
        Meta(
            description="The code as answers write it; absent if they write the code itself.",
            examples=[["max_units_2", "max_units_over_100wh_2"]],
        ),
    ] = ()


class CodesBody(msgspec.Struct):
    """The answer of GET /api/codes."""

    codes: Annotated[list[CodeBody], Meta(description="All codes, in one list without pages.")]
    total: Annotated[int, Meta(description="How many codes the list has.")]
    contract_version: Annotated[
        str, Meta(description="The version of the contract of this service.", examples=["1.0.0"])
    ]


class CodesView(ReadView):
    """The codes of the contract."""

    operation = Operation(
        operation_id="listCodes",
        tag="Verdicts",
        summary="Read every code with its meaning",
        description=(
            "All codes of constraints, warnings, gaps, next steps, errors and wrong fields, each with its "
            "nature, its severity, its sentences in eight languages and the first version of the contract "
            "that has it. The enumerations of this contract have exactly these codes; `max_units` is written "
            "with its number in answers, as its `written_as` and `examples` say. Errors, and what they "
            "suggest, are for the developers of clients and have English texts alone. The list is complete "
            "and has no pages. It changes only when the service is updated. The sandbox gives the same list."
        ),
        answer=CodesBody,
        query=(KIND, LANGUAGE),
    )

    def answer(self, reading: Reading, **path: str) -> CodesBody:
        """Return the codes of a kind, or all."""
        return codes_body(reading.query[KIND], reading.query[LANGUAGE])


# An answer has some hundred texts, and there are few different questions.
@functools.lru_cache(maxsize=64)
def codes_body(kind: str | None = None, language: str | None = None) -> CodesBody:
    """Return the codes of a kind, with texts in a language; None stands for all."""
    codes = [_code_body(one, language) for one in listed() if kind in (None, one.kind)]
    return CodesBody(codes=codes, total=len(codes), contract_version=VERSION)


def _code_body(one: ListedCode, language: str | None) -> CodeBody:
    pattern = WRITTEN_AS.get(one.code)
    return CodeBody(
        code=one.code,
        kind=one.kind,
        since=one.since,
        sentences=[_sentence_body(said, language) for said in one.sentences],
        nature=one.nature,
        severity=one.severity,
        severity_at_worst=one.at_worst,
        status=one.status,
        title=one.title,
        written_as=None if pattern is None else f"^{pattern.pattern}$",
        examples=EXAMPLES.get(one.code, ()),
    )


def _sentence_body(said: CodeSentence, language: str | None) -> CodeSentenceBody:
    text = said.text
    if language is not None and language in text:
        text = {language: text[language]}
    return CodeSentenceBody(text=text, parameters=said.parameters, number=said.number)
