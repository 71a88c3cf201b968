"""/embed as a page record, for readers who prefer Markdown: code to copy, and what each attribute sets."""

from django.conf import settings

from aeo.pages.record import Bullets, Code, Line, Link, Page, Paragraph, Section, Table
from aeo.texts import say
from aeo.web.addresses import address
from aeo.web.languages import localized
from compliance.channels.embed import themes

FRAME = """\
<iframe src="{source}" title="{title}" width="100%" height="900"
  sandbox="allow-forms allow-popups allow-popups-to-escape-sandbox allow-same-origin allow-scripts"
  referrerpolicy="no-referrer" loading="lazy"></iframe>"""

Attribute = tuple[str, str, str]
"""An attribute of the script, the key of the text that says what it sets, and an example."""


def attributes() -> tuple[Attribute, ...]:
    """Return the attributes of the script, in the order of the page."""
    itinerary = "people=2&model=anker-a1289&count=2&airline=EK&from=AE&to=GB"
    return (
        ("data-key", "key", ""),
        ("data-lang", "lang", " ".join(code for code, _ in settings.LANGUAGES)),
        ("data-model", "model", "anker-a1289"),
        ("data-airline", "airline", "EK"),
        ("data-from, data-to", "places", "AE"),
        ("data-itinerary", "itinerary", itinerary.replace("&", "&amp;")),
        ("data-accent", "accent", "#0f5c6e"),
        ("data-round", "round", ""),
        ("data-scheme", "scheme", "light dark"),
        ("data-into", "into", ""),
    )


def how_to_record(path: str, key: str, promises: list[str]) -> Page:
    """Return how partners put the check on their pages. `key` is an example of a public id."""
    site = settings.SITE_URL
    script = f'<script src="{site}/embed.js" data-key="{key}" async></script>'
    frame = FRAME.format(source=f"{site}{localized(f'{path}/{key}')}", title=say("checker.title"))
    lines = tuple((promise,) for promise in promises)
    return Page(
        path=path,
        title=say("embed.title"),
        lead=say("embed.lead"),
        sections=(
            Section(say("embed.script"), (Paragraph((say("embed.script.lead"),)), Code(script))),
            Section(say("embed.frame"), (Paragraph((say("embed.frame.lead"),)), Code(frame))),
            Section(
                say("embed.key"),
                tuple(Paragraph((say(f"embed.key.{one}"),)) for one in ("get", "lead", "origins")),
            ),
            Section(
                say("embed.attributes"),
                (Table((say("embed.attribute"), say("embed.meaning")), tuple(map(_row, attributes()))),),
            ),
            Section(
                say("embed.policy"),
                (Paragraph((say("embed.policy.lead"),)), Code(f"script-src {site}; frame-src {site}")),
            ),
            Section(say("embed.promises"), (Bullets(lines),)),
        ),
        crumbs=(),
        about=((say("about.programs"), (Link(say("menu./developers"), address("/developers/embed")),)),),
    )


def _row(attribute: Attribute) -> tuple[Line, Line]:
    name, key, example = attribute
    values = {"most": themes.MOST_ROUND} if key == "round" else {}
    said = say(f"embed.attribute.{key}", **values)
    return (name,), (f"{said} {example}".rstrip(),)
