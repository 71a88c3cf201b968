"""What travelers are told beside the verdict: whoever changes it can send them elsewhere.

No verdict depends on the words of a recall, on a certificate that is in order, nor on the address where one
in doubt is looked up. But travelers act on them: a recall that says that all units may be used is a milder
answer in all but its name.
"""

from collections.abc import Iterator
from operator import attrgetter

from rules.engine.document import Content
from rules.engine.facts import Device
from rules.impact.survey.changes import Changed

TOLD = "tells travelers something else about what is wrong or what to do, which they can take for less strict"

_words = attrgetter("hazard", "remedy", "notice_url")


def told_otherwise(contents: tuple[Content, Content]) -> dict[Changed, str]:
    """Return the recalls and models that tell travelers something else than before, each with why."""
    return {record: TOLD for record in (*_recalls(*contents), *_models(*contents))}


def _recalls(before: Content, after: Content) -> Iterator[Changed]:
    known = {recall.recall_id: recall for recall in before.recalls}
    for recall in after.recalls:
        old = known.get(recall.recall_id)
        if old not in (None, recall) and _words(old) != _words(recall):
            yield Changed("recalls", recall.recall_id)


def _models(before: Content, after: Content) -> Iterator[Changed]:
    known = {device.model_id: device for device in before.devices}
    for device in after.devices:
        old = known.get(device.model_id)
        if (
            old is not None
            and old != device
            and (_doubts(old) - _doubts(device) or _proved(device) - _proved(old))
        ):
            yield Changed("devices", device.model_id)


def _doubts(device: Device) -> set[tuple[str, str | None]]:
    """Return the marks in doubt, each with the address where travelers look its certificate up."""
    return {(one.mark, one.lookup_url) for one in device.certificates if one.status != "valid"}


def _proved(device: Device) -> set[tuple[str, str | None]]:
    """Return the marks that a model is said to bear, each with the address of its certificate, if any."""
    valid = {(one.mark, one.lookup_url) for one in device.certificates if one.status == "valid"}
    return valid | {(mark, None) for mark in device.certifications}
