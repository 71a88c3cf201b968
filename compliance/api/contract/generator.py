"""Makes the OpenAPI document from the API's addresses, with drf-spectacular and each view's own description.

drf-spectacular finds the addresses and builds the frame (`SPECTACULAR_SETTINGS`). Its own way to describe a
view, from serializers, is replaced: our views have an `Operation` instead.
"""

from collections.abc import Iterable
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry
from drf_spectacular.renderers import OpenApiYamlRenderer

from compliance.api import urls
from compliance.api.contract import documents, headers, problems
from compliance.api.contract.described import DescribedSchemas
from compliance.api.contract.examples import Example, Examples, ask_everything
from compliance.api.contract.links import LINKS
from compliance.api.contract.schemas import Schema, Schemas, reference
from compliance.api.protocol import idempotency
from compliance.api.protocol.digests import FIELD as DIGEST
from compliance.api.protocol.errors import ProblemBody
from compliance.api.protocol.parameters import AnyParameter
from compliance.api.protocol.preferences import PREFERENCE
from compliance.api.protocol.signatures import ASK
from compliance.api.protocol.views import RULESET_VERSION, ReadView, ServiceView
from compliance.records.receipts.message_signatures import COMPONENTS, LEAST, NEEDED, OPERATION

SECURITY: list[Schema] = [{}, {"partnerKey": []}, {"bearer": []}]
"""No key, or a key in one of two headers: alternatives."""

SECURITY_SCHEMES: Schema = {
    "partnerKey": {
        "type": "apiKey",
        "in": "header",
        "name": "x-service-key",
        "description": "A partner key. It changes limits, origins and how much two operations show, never a "
        "verdict.",
    },
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The same partner key as `Authorization: Bearer`.",
    },
}

IF_NONE_MATCH: Schema = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The `ETag` of your copy of the answer. If the copy is still valid, the answer is 304.",
    "required": False,
    "schema": {"type": "string"},
    "example": '"3f9f6b7d1c0a4b0e8d5c2a1f6e7b8c9d"',
}


IDEMPOTENCY_KEY: Schema = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A key of your choice, such as a UUID, new for each new request. If you got no answer, "
    "send the same request with the same key: you get the answer of the first one, and nothing is created "
    "twice. Answers are kept for 24 hours, for each partner or client address. With another body you get "
    "422; while the first request is being answered, 409. Errors are not kept.",
    "required": False,
    "schema": {"type": "string", "pattern": idempotency.PATTERN, "minLength": 1, "maxLength": 257},
    "example": '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
}


PREFER: Schema = {
    "name": "Prefer",
    "in": "header",
    "description": "With `receipt`, the answer has a receipt in `X-Service-Receipt` (RFC 7240). Other "
    "preferences are ignored.",
    "required": False,
    "schema": {"type": "string"},
    "example": PREFERENCE,
}


def _listed(components: Iterable[str]) -> str:
    return ", ".join(f"`{one}`" for one in components)


ACCEPT_SIGNATURE: Schema = {
    "name": ASK,
    "in": "header",
    "description": "Asks for a signature on the answer (RFC 9421) that binds it to the question. It must "
    f"cover {_listed(NEEDED)} and one of {_listed(OPERATION)}; also possible are "
    f"{_listed(sorted(COMPONENTS - {*NEEDED, *OPERATION}))}. The request needs `{DIGEST}`. Such an answer is "
    "sent uncompressed. A signature that cannot be made as it is asked for is refused with 400.",
    "required": False,
    "schema": {"type": "string"},
    "example": f"sig1=({' '.join(LEAST)})",
}

CONTENT_DIGEST: Schema = {
    "name": DIGEST,
    "in": "header",
    "description": "The digest of the body (RFC 9530), by sha-256 or sha-512. A body with another digest is "
    "refused with 400: it was altered on its way.",
    "required": False,
    "schema": {"type": "string"},
    "example": "sha-256=:FvY3clMuqDtN+53bCPrVqEvvlNBDV0DCdn/fGpCJTO8=:",
}


SIGNING = {"Prefer": PREFER, "AcceptSignature": ACCEPT_SIGNATURE, "ContentDigest": CONTENT_DIGEST}
"""The parameters of operations whose answers can be signed, by their names in the components."""


class OperationSchema(AutoSchema):
    """Describes a view by its `operation`. Named in the settings as DRF's schema class."""

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> Schema:
        """Return the operation object of one method at one address."""
        assert isinstance(self.view, ServiceView)
        assert isinstance(registry, Components)
        operation = self.view.operations.get(method, self.view.operation)
        examples = registry.examples.of_operation(operation.operation_id)
        cached = isinstance(self.view, ReadView)
        described: Schema = {
            "operationId": operation.operation_id,
            "summary": operation.summary,
            "description": operation.description,
            "tags": [operation.tag],
            "parameters": [
                *(_parameter(one, "path", registry.schemas) for one in operation.path),
                *(_parameter(one, "query", registry.schemas) for one in operation.query),
                *(
                    [reference("parameters", "RulesetVersion"), reference("parameters", "IfNoneMatch")]
                    if cached
                    else []
                ),
                *([reference("parameters", "IdempotencyKey")] if operation.creates else []),
                *([reference("parameters", one) for one in SIGNING] if operation.signed else []),
            ],
            "security": SECURITY,
        }
        if operation.body is not None:
            described["requestBody"] = {
                "required": True,
                "content": _json(
                    registry.schemas.mention(operation.body),
                    {example.name: _shown(example, example.body) for example in examples},
                ),
            }
        answer: Schema = {
            "description": "The answer.",
            "headers": headers.of_answer(cached=cached, signed=operation.signed),
            "content": _json(
                registry.schemas.mention(operation.answer),
                {example.name: _shown(example, example.answer) for example in examples},
            ),
        }
        if operation.operation_id in LINKS:
            answer["links"] = LINKS[operation.operation_id]
        described["responses"] = {
            "200": answer,
            **({"304": reference("responses", "NotModified")} if cached else {}),
            **problems.references((*operation.errors, *(ONCE if operation.creates else ()))),
        }
        return described


ONCE = ("REQUEST_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED")
"""The codes of operations that create something."""


class Components(ComponentRegistry):
    """The components that operations refer to."""

    def __init__(self, examples: Examples) -> None:
        super().__init__()
        self.examples = examples
        self.schemas = DescribedSchemas()

    def build(self, extra_components: Schema) -> Schema:
        """Return the `components` object, after all operations were described."""
        problem_schema = self.schemas.mention(ProblemBody)
        return {
            "schemas": dict(sorted(self.schemas.components.items())),
            "parameters": {
                "IdempotencyKey": IDEMPOTENCY_KEY,
                "IfNoneMatch": IF_NONE_MATCH,
                "RulesetVersion": _parameter(RULESET_VERSION, "query", self.schemas),
                **SIGNING,
            },
            "headers": headers.COMPONENTS,
            "responses": {
                "NotModified": {
                    "description": "Your copy of the answer is still valid. There is no body.",
                    "headers": headers.of_answer(cached=True),
                },
                "DocumentNotModified": {
                    "description": "Your copy of the document is still valid. There is no body.",
                    "headers": headers.of_document(),
                },
                **problems.responses(problem_schema, self.examples.problems),
            },
            "securitySchemes": SECURITY_SCHEMES,
        }


class ContractGenerator(SchemaGenerator):
    """Reads the addresses of the API, in their order."""

    def __init__(self, examples: Examples) -> None:
        super().__init__(patterns=urls.urlpatterns)
        self.registry = Components(examples)


def contract() -> bytes:
    """Return the contract as YAML. It needs no database and no network, and is the same every time."""
    document = ContractGenerator(ask_everything()).get_schema(public=True)
    document["paths"] |= documents.paths()
    rendered: bytes = OpenApiYamlRenderer().render(document, renderer_context={})
    return rendered


def _parameter(parameter: AnyParameter, place: str, schemas: Schemas) -> Schema:
    described: Schema = {
        "name": parameter.name,
        "in": place,
        "description": parameter.about,
        "required": place == "path",
        "schema": schemas.named(parameter.schema),
    }
    if parameter.example is not None:
        described["example"] = parameter.example
    return described


def _json(schema: Schema, examples: Schema) -> Schema:
    return {"application/json": {"schema": schema, "examples": examples}}


def _shown(example: Example, value: Any) -> Schema:
    return {"summary": example.summary, "value": value}
