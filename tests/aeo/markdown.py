"""The answers of the site in Markdown, compared with their pages."""

import html
import re
from typing import Any

from django.test import Client

ANSWER, FORM = '<div class="banner', '<section class="card screen" aria-labelledby="change">'
WATCH = 'aria-labelledby="watch"'
ANSWER_ID = r"(?:itn|trip|vdt)_[a-z2-7]{26}"


def in_markdown(browser: Client, path: str) -> Any:
    """Return an answer in Markdown, which has all facts and all sources of its page."""
    answer: Any = browser.get(path, follow=True)
    page = html.unescape(answer.content.decode())
    address = f"{answer.request['PATH_INFO']}?{answer.request['QUERY_STRING']}"
    markdown = browser.get(address, headers={"accept": "text/markdown"})
    assert markdown.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert markdown.headers["X-Robots-Tag"] == "noindex"
    assert "Accept" in answer.headers["Vary"]
    assert "Accept" in markdown.headers["Vary"]
    text = markdown.content.decode().replace("\\", "")
    shown_here = page[page.index(ANSWER) : page.index(FORM)].partition(WATCH)[0]
    # What leads to the card and what shares the address are not facts.
    shown_here = re.sub(r'<p class="\w+ screen">.*?</p>', "", shown_here)
    facts = re.findall(r"<(?:li|dd|dt|p|h3|h4|span|small)(?: [^>]*)?>([^<>]{3,})</", shown_here)
    assert len(facts) > 10
    for fact in facts:
        for part in fact.strip(" :").split(" · "):
            assert part in text, (fact, text)
    for url in re.findall(r'<a href="(https?://[^"]+)"', shown_here):
        assert url in markdown.content.decode()
    assert re.findall(ANSWER_ID, shown_here) == sorted(set(re.findall(ANSWER_ID, text)), key=shown_here.index)
    return markdown
