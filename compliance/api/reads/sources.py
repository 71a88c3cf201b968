"""GET /api/sources: the evidence that rules, recalls, models and airlines rest on."""

import datetime
from typing import get_args

import msgspec

from catalog.cadence import Cadence, cadence_of, good_until
from catalog.records import SourceBasis, SourceKind
from compliance.api.protocol import parameters
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.paging import CURSOR, LIMIT, page
from compliance.api.protocol.views import Reading, ReadView
from compliance.api.reads.devices import MODEL_ID
from compliance.api.reads.evidence import AIRLINE, JURISDICTION, airline_asked, check_jurisdiction, rule_named
from compliance.api.reads.rules import RULE_ID
from rules.corpus import Published
from rules.engine.facts import Source
from rules.selectors import sources

KIND = parameters.choice("kind", "Only sources of this kind.", get_args(SourceKind))
BASIS = parameters.choice("basis", "Only sources with this `basis`.", get_args(SourceBasis))


class UsedByBody(msgspec.Struct):
    """How many records of the release depend on a source. All rules count, in force or not."""

    rules: int
    recalls: int
    devices: int
    airlines: int


class SourceBody(msgspec.Struct):
    """A piece of evidence.

    - `basis`: the official page was read (`official_page_read`), a third party's dated word-for-word copy of
      it was read (`official_copy_read`), a page that reports it was read (`secondary_read`), or nothing was
      read (`general_knowledge`).
    - `citable` is false for `general_knowledge`: such a source only shows editors a page, and no verdict
      cites it.
    - `url` is the cited page. `read_url` is the address where it was read, if that is another one (an
      archive, a copy, a translation).
    - `page_date` is the date on the page. `pulled_at` is the day on which it was read, null if it was not
      read.
    - `cadence` is how often the page should be checked. It decides for how many days a reading is fresh:
      daily 30, weekly 90, monthly 180, quarterly 365.
    - `fresh_until` is the last of these days, null if the source was not read. From the next day on, answers
      without fresher evidence have the warning `evidence_stale`.
    """

    source_id: str
    kind: SourceKind
    authority: str
    jurisdiction: str
    url: str
    title: str
    basis: SourceBasis
    read_url: str | None
    page_date: datetime.date | None
    pulled_at: datetime.date | None
    cadence: Cadence
    fresh_until: datetime.date | None
    citable: bool
    used_by: UsedByBody


class SourcesBody(msgspec.Struct):
    """The answer of GET /api/sources. `total` counts all pages; `next_cursor` is null on the last one."""

    sources: list[SourceBody]
    total: int
    next_cursor: str | None
    ruleset_version: str


class SourcesView(ReadView):
    """The sources of the release."""

    operation = Operation(
        operation_id="listSources",
        tag="Rules and evidence",
        summary="Read the evidence for a model, a rule or an airline",
        description=(
            "The sources that answers cite, in the order of their ids. `model_id` selects the sources of "
            "the model's facts, of its certificates and of its recalls; `rule_id` those of the rule; "
            "`airline` those of its policy, of its dated changes and of its own rules. A source is listed "
            "if it meets all filters. For a model, rule or airline that is not in the ruleset the answer is "
            "404, never an empty list, which would mean that there is no evidence. `total` counts all "
            "matches. To read the rest, follow `next_cursor` until it is null."
        ),
        answer=SourcesBody,
        query=(MODEL_ID, RULE_ID, AIRLINE, KIND, JURISDICTION, BASIS, LIMIT, CURSOR),
        errors=("MODEL_NOT_FOUND", "AIRLINE_NOT_COVERED", "NOT_FOUND"),
    )

    def answer(self, reading: Reading, **path: str) -> SourcesBody:
        """Return one page of the result. Raises `ApiError` or `ModelNotFound` for an unknown name."""
        query, published = reading.query, reading.published
        model_id, rule_id = query[MODEL_ID], query[RULE_ID]
        check_jurisdiction(published, query[JURISDICTION])
        found = sources.find(
            published,
            model_id=None if model_id is None else published.corpus.device(model_id).device.model_id,
            rule_id=None if rule_id is None else rule_named(published, rule_id).rule_id,
            airline=airline_asked(published, query),
            kind=query[KIND],
            jurisdiction=query[JURISDICTION],
            basis=query[BASIS],
        )
        shown = page(found, reading)
        return SourcesBody(
            sources=[_source_body(source, published) for source in shown.items],
            total=shown.total,
            next_cursor=shown.next_cursor,
            ruleset_version=published.ruleset_version,
        )


def _source_body(source: Source, published: Published) -> SourceBody:
    used = sources.uses(published).get(source.id, sources.Uses())
    return SourceBody(
        source_id=source.id,
        kind=source.kind,
        authority=source.authority,
        jurisdiction=source.jurisdiction,
        url=source.url,
        title=source.title,
        basis=source.basis,
        read_url=source.read_url,
        page_date=source.page_date,
        pulled_at=source.read_on if source.citable else None,
        cadence=cadence_of(source),
        fresh_until=good_until(source) if source.citable else None,
        citable=source.citable,
        used_by=UsedByBody(
            rules=len(used.rules),
            recalls=len(used.recalls),
            devices=len(used.devices),
            airlines=len(used.airlines),
        ),
    )
