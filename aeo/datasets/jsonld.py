"""Structured data (schema.org) of /datasets: a catalog, its datasets and their files.

Pure: values in, JSON out. Called by the view.
"""

from collections.abc import Iterable
from typing import NamedTuple

from aeo.web.jsonld import PUBLISHER, Node


class Download(NamedTuple):
    """One file. `size` is in bytes."""

    url: str
    media_type: str
    sha256: str
    size: int


class Described(NamedTuple):
    """One dataset and its files."""

    url: str
    name: str
    description: str
    downloads: Iterable[Download]


def catalog(
    *,
    site: str,
    url: str,
    name: str,
    language: str,
    reuse_url: str,
    version: str,
    published: str,
    datasets: Iterable[Described],
) -> Node:
    """Return the catalog. If no license is granted, none is stated: `usageInfo` leads to what is known."""
    publisher = {"@type": "Organization", "name": PUBLISHER, "url": site}
    return {
        "@context": "https://schema.org",
        "@type": "DataCatalog",
        "@id": f"{url}#catalog",
        "url": url,
        "name": name,
        "inLanguage": language,
        "publisher": publisher,
        "dataset": [
            {
                "@type": "Dataset",
                "@id": described.url,
                "url": described.url,
                "name": described.name,
                "description": described.description,
                "version": version,
                "dateModified": published,
                "isAccessibleForFree": True,
                "usageInfo": reuse_url,
                "creator": publisher,
                "distribution": [
                    {
                        "@type": "DataDownload",
                        "contentUrl": download.url,
                        "encodingFormat": download.media_type,
                        "contentSize": f"{download.size} B",
                        "sha256": download.sha256,
                    }
                    for download in described.downloads
                ],
            }
            for described in datasets
        ],
    }
