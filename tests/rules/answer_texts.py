"""Answers to read, and what every text of an answer has in common."""

import datetime
import re
from collections.abc import Iterator

from rules.engine.errors import AirlineNotCovered, ModelNotFound
from rules.verdicts import Answer
from tests.rules.engine.starter_questions import Drawer
from tests.support import door
from tests.support.starter import starter_content

URL = re.compile(r"https?://\S+")
SENTENCE_END = re.compile(r"(?<=[.?]) ")
RAW_CODE = re.compile(r"\w_\w|%\(|[{}<>]")


def reads_well(text: str) -> None:
    """Fail where a text is not whole English sentences, or shows what is meant for machines."""
    assert text == text.strip()
    assert "  " not in text
    assert text.endswith(".")
    assert text[0].isupper()
    assert not RAW_CODE.search(URL.sub("", text))
    assert ".." not in URL.sub("", text)
    assert " ." not in text
    sentences = SENTENCE_END.split(text)
    assert len(set(sentences)) == len(sentences), f"says a sentence twice: {text}"


def drawn_answers(count: int) -> Iterator[Answer]:
    """The answers to many questions about the starter corpus."""
    drawer = Drawer(starter_content(), seed=20261120)
    for _ in range(count):
        question, today, _ = drawer.question()
        now = datetime.datetime.combine(today, datetime.time(12), datetime.UTC)
        try:
            yield door.verify(question, now=now)
        except (ModelNotFound, AirlineNotCovered):
            continue
