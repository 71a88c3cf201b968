"""A corpus with more models answers as one that was made with them, and leaves the first one as it is."""

from decimal import Decimal
from itertools import islice

import pytest
from msgspec.structs import replace

from bench.questions import real_questions
from rules.engine.corpus import Corpus
from rules.engine.errors import ModelNotFound
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Device
from tests.support.starter import starter_content


def test_more_models_are_judged_as_if_they_had_been_there_from_the_start() -> None:
    content = starter_content()
    read = next(source.id for source in content.sources if source.citable)
    more = tuple(
        Device(
            model_id=f"rated-{rating}",
            brand="Any",
            model_name="Any",
            watt_hour=None if rating is None else Decimal(rating),
            watt_hour_basis="unknown" if rating is None else "rated",
            sources=(read,),
        )
        for rating in (None, 74, 100, 160, 161)
    )
    whole = replace(content, devices=(*content.devices, *more))
    first, made = Corpus(content), Corpus(whole)
    grown = first.also(more)
    assert grown.content == whole
    verdicts = set()
    for device in more:
        with pytest.raises(ModelNotFound):
            first.device(device.model_id)
        for question in islice(real_questions(content, seed=5), 300):
            asked = replace(question, unit=replace(question.unit, model_id=device.model_id, serial=None))
            answer = evaluate_leg(grown, asked, today=asked.travel_date)
            assert answer == evaluate_leg(made, asked, today=asked.travel_date)
            verdicts.add(answer.verdict)
    assert len(verdicts) > 1
