"""Documents of the site that are the same for everyone, as operations of the contract.

They are made by the views of `aeo` and of receipts; here is what they promise. Each answers GET and HEAD,
needs no key, and takes `If-None-Match`. Feeds name their media type only in words: a generator of clients
that is often used warns of every other type than JSON and text.
"""

from dataclasses import dataclass
from typing import Literal

from aeo.datasets.files import FORMATS
from aeo.datasets.rows import DATASETS
from compliance.api.contract import headers, problems
from compliance.api.contract.schemas import Schema, reference

TAG = "Documents"

_OBJECT: Schema = {"type": "object", "additionalProperties": True}
_TEXT: Schema = {"type": "string"}

ERRORS = (
    "BAD_REQUEST",
    "METHOD_NOT_ALLOWED",
    "URI_TOO_LONG",
    "RATE_LIMITED",
    "HEADERS_TOO_LARGE",
    "INTERNAL_ERROR",
    "SERVICE_UNAVAILABLE",
)
"""The codes that every document can answer with."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """One address.

    `media_types` are those of its content, `headers` what it has besides its `ETag` and `Cache-Control`, by
    their names in the components. `moved` is the status with which it leads to another address.
    """

    path: str
    operation_id: str
    summary: str
    description: str
    media_types: tuple[str, ...]
    headers: tuple[str, ...] = ()
    parameters: tuple[Schema, ...] = ()
    moved: Literal[301, 302] | None = None
    moved_because: str = ""


def _in_path(name: str, description: str, schema: Schema, example: str) -> Schema:
    return {
        "name": name,
        "in": "path",
        "description": description,
        "required": True,
        "schema": schema,
        "example": example,
    }


_NAME = _in_path(
    "name", "The name of a dataset.", {"type": "string", "enum": sorted(DATASETS)}, "airline-policies"
)
_FORMAT = _in_path(
    "format", "JSON Lines, or CSV with a header line.", {"type": "string", "enum": [*FORMATS]}, "csv"
)
_VERSION = _in_path(
    "version",
    "The `ruleset_version` of a release.",
    {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}([.][0-9]+)?$"},
    "2026-11-20",
)
_FILE_TYPES = ("text/csv; charset=utf-8; header=present", "application/jsonl; charset=utf-8")
_LOWER = "An address with capital letters leads to the one without."

DOCUMENTS = (
    Document(
        path="/aeo-manifest.json",
        operation_id="getManifest",
        summary="What the site knows: guides, brands, verdict pages",
        description="The discovery manifest, at most 440,000 bytes: guides, brands and the most important "
        "verdict pages. `Link` leads to its JSON Schema. It is never compressed, so that its `ETag` is "
        "`X-Service-Content-Hash` in quotation marks.",
        media_types=("application/json",),
        headers=("X-Service-Content-Hash", "Link"),
    ),
    Document(
        path="/aeo-manifest.schema.json",
        operation_id="getManifestSchema",
        summary="The JSON Schema of the manifest",
        description="The schema that `Link` of the manifest leads to. Its `ETag` is "
        "`X-Service-Schema-Hash` in quotation marks.",
        media_types=("application/schema+json",),
        headers=("X-Service-Schema-Hash",),
    ),
    Document(
        path="/aeo-preview.json",
        operation_id="getManifestPreview",
        summary="The first verdict pages of the manifest",
        description="The most important verdict pages, without the rest of the manifest.",
        media_types=("application/json",),
        headers=("Link",),
    ),
    Document(
        path="/aeo-datasets.json",
        operation_id="getDatasets",
        summary="Which data are published",
        description="Describes the datasets: what is in them, how they were made, and where they are.",
        media_types=("application/json",),
        headers=("X-Service-Content-Hash", "Link"),
    ),
    Document(
        path="/datasets/changes.json",
        operation_id="listDatasetChanges",
        summary="The files of each release, and what it changed",
        description="The newest releases first, each with its files, their SHA-256 and the records that it "
        "added, changed and withdrew. `next` leads to older ones.",
        media_types=("application/json",),
        parameters=(
            {
                "name": "before",
                "in": "query",
                "description": "Only releases before this one.",
                "required": False,
                "schema": _VERSION["schema"],
            },
        ),
        moved=301,
        moved_because="An address with a parameter that is unknown or given twice leads to the one without.",
    ),
    Document(
        path="/datasets/latest/{name}.{format}",
        operation_id="getNewestDatasetFile",
        summary="The newest file of a dataset",
        description="Leads to the file of the newest release. A client that follows redirects gets the file.",
        media_types=_FILE_TYPES,
        parameters=(_NAME, _FORMAT),
        moved=302,
        moved_because="The file of the newest release is at `Location`.",
    ),
    Document(
        path="/datasets/{version}/{name}.{format}",
        operation_id="getDatasetFile",
        summary="A file of a dataset",
        description="All records of one release. The file never changes. It is never compressed, and can be "
        "read by parts (`Range`, `If-Range`). `Repr-Digest` has its SHA-256.",
        media_types=_FILE_TYPES,
        headers=("X-Service-Content-Hash", "Repr-Digest", "Content-Disposition"),
        parameters=(_VERSION, _NAME, _FORMAT),
    ),
    Document(
        path="/feeds/rulesets.atom",
        operation_id="getRulesetsFeed",
        summary="A feed of releases",
        description="An entry for each release, with what it changed. The content is `application/atom+xml`.",
        media_types=(),
    ),
    Document(
        path="/feeds/airlines/{code}.atom",
        operation_id="getAirlineFeed",
        summary="A feed of an airline",
        description="What each release changed about an airline. The content is `application/atom+xml`.",
        media_types=(),
        parameters=(
            _in_path(
                "code",
                "The airline's code, in lower case.",
                {"type": "string", "pattern": "^[a-z0-9]{2}$"},
                "ek",
            ),
        ),
        moved=301,
        moved_because=_LOWER,
    ),
    Document(
        path="/feeds/recalls/brands/{brand}.atom",
        operation_id="getBrandRecallsFeed",
        summary="A feed of the recalls of a brand's models",
        description="The recalls of all exact models of a brand. A recall is never about a whole brand. The "
        "content is `application/atom+xml`.",
        media_types=(),
        parameters=(
            _in_path(
                "brand",
                "The brand's id, in lower case.",
                {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 80},
                "anker",
            ),
        ),
        moved=301,
        moved_because=_LOWER,
    ),
    Document(
        path="/feeds/recalls/models/{model_id}.atom",
        operation_id="getModelRecallsFeed",
        summary="A feed of the recalls of a model",
        description="The recalls of one exact model. The content is `application/atom+xml`.",
        media_types=(),
        parameters=(
            _in_path(
                "model_id",
                "The id of a catalog model.",
                {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{1,79}$"},
                "anker-a1263",
            ),
        ),
        moved=301,
        moved_because=_LOWER,
    ),
    Document(
        path="/feeds/effective-dates.ics",
        operation_id="getEffectiveDates",
        summary="A calendar of the days on which rules begin and end",
        description="An all-day event for each of these days, as iCalendar (RFC 5545).",
        media_types=("text/calendar; charset=utf-8",),
    ),
    Document(
        path="/llms.txt",
        operation_id="getLlmsTxt",
        summary="What language models read first",
        description="What this site knows and where, in Markdown. Each page of the documentation that it "
        "names is Markdown too.",
        media_types=("text/plain; charset=utf-8",),
    ),
    Document(
        path="/.well-known/jwks.json",
        operation_id="getReceiptKeys",
        summary="The public keys of receipts",
        description="The present and the former keys (RFC 7517), with which anyone can check a receipt.",
        media_types=("application/jwk-set+json",),
    ),
)


def paths() -> dict[str, Schema]:
    """Return the path items of all documents."""
    return {document.path: {"get": _operation(document)} for document in DOCUMENTS}


def _operation(document: Document) -> Schema:
    moved = document.moved
    in_address = [one for one in document.parameters if one["in"] == "path"]
    own = ("NOT_FOUND",) if document.parameters else ()
    return {
        "operationId": document.operation_id,
        "summary": document.summary,
        "description": document.description,
        "tags": [TAG],
        # They are not in the sandbox.
        "servers": [{"url": "/", "description": "The server that serves this contract."}],
        "parameters": [
            *in_address,
            *(one for one in document.parameters if one["in"] != "path"),
            reference("parameters", "IfNoneMatch"),
        ],
        "security": [{}],
        "responses": {
            "200": {
                "description": "The document.",
                "headers": headers.of_document(document.headers),
                **({"content": _content(document)} if document.media_types else {}),
            },
            **({str(moved): _moved(document)} if moved else {}),
            "304": reference("responses", "DocumentNotModified"),
            **problems.of_codes((*ERRORS, *own)),
        },
    }


def _content(document: Document) -> Schema:
    return {
        media_type: {"schema": _OBJECT if "json" in media_type and "jsonl" not in media_type else _TEXT}
        for media_type in document.media_types
    }


def _moved(document: Document) -> Schema:
    return {"description": document.moved_because, "headers": headers.of_redirect()}
