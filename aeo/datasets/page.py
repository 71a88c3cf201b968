"""/datasets as a page record, for readers who prefer Markdown: the files of the newest release, and reuse."""

from collections.abc import Iterable, Sequence

from django.template.defaultfilters import filesizeformat

from aeo.datasets.models import DatasetFile, DatasetRelease
from aeo.datasets.rows import Dataset
from aeo.pages.record import Block, Bullets, Instant, Line, Link, Page, Paragraph, Section
from aeo.texts import say
from aeo.web.addresses import address
from aeo.web.formatting import comma, number

NAMES = {"jsonl": "JSON Lines", "csv": "CSV"}
"""The formats of files as people write them."""


def datasets_page(
    newest: DatasetRelease,
    described: Iterable[tuple[Dataset, Sequence[DatasetFile]]],
    releases: Iterable[DatasetRelease],
) -> Page:
    """Return the datasets, each with its files, how they may be reused, and what follows changes."""
    return Page(
        path="/datasets",
        title=say("datasets.heading"),
        lead=say("datasets.lead", version=newest.pk),
        sections=(
            *(_dataset(dataset, files) for dataset, files in described),
            Section(say("datasets.reuse"), tuple(_reuse())),
            Section(say("datasets.changed"), tuple(_changed(releases))),
        ),
        crumbs=(),
        about=(
            (say("about.ruleset"), (newest.pk,)),
            (say("about.programs"), (Link(say("datasets.changes.title"), "/datasets/changes.json"),)),
        ),
    )


def _dataset(dataset: Dataset, files: Sequence[DatasetFile]) -> Section:
    newest = [Link(NAMES[one.file_format], f"/datasets/latest/{one.name}.{one.file_format}") for one in files]
    links: list[Link | str] = []
    for link in newest:
        links += [comma(), link] if links else [link]
    return Section(
        dataset.title,
        (
            Paragraph((dataset.description,)),
            Bullets(tuple(map(_file, files))),
            Paragraph((f"{say('datasets.newest')} ", *links)),
        ),
    )


def _file(file: DatasetFile) -> Line:
    size = filesizeformat(file.size_bytes)
    about = say("datasets.file", count=file.records, records=number(file.records), size=size)
    link = Link(NAMES[file.file_format], file.path)
    return link, comma(), about, comma(), f"SHA-256 {file.sha256}"


def _reuse() -> Iterable[Block]:
    yield Paragraph((say("datasets.reuse.license", citations="citations", policy_url="policy_url"),))
    yield Paragraph((say("datasets.reuse.verdicts", verify="POST /api/verify", allowed="allowed"),))
    yield Paragraph((say("datasets.reuse.preview", begin="", end=""), " ", _link("/aeo-datasets.json")))


def _changed(releases: Iterable[DatasetRelease]) -> Iterable[Block]:
    yield Paragraph((say("datasets.changed.list", begin="", end=""), " ", _link("/datasets/changes.json")))
    yield Bullets(tuple((f"{one.pk}", comma(), Instant(one.published)) for one in releases))
    feeds = {
        "airline": "/feeds/airlines/ek.atom",
        "brand": "/feeds/recalls/brands/anker.atom",
        "model": "/feeds/recalls/models/anker-a1263.atom",
    }
    yield Paragraph((say("datasets.told", begin_rulesets="", begin_dates="", end="", **feeds),))
    yield Bullets(((_link("/feeds/rulesets.atom"),), (_link("/feeds/effective-dates.ics"),)))


def _link(path: str) -> Link:
    return Link(address(path), path)
