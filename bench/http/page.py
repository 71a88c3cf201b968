"""A verdict page that was never requested before, against an empty page with the same frame.

Both go through the whole WSGI application and render loaded templates. The addresses are random: any model,
any covered airline, and as the country the airline's own or any other.
"""

import random
from collections.abc import Callable, Iterator

from bench.http.reading import Application, read
from bench.report import Line, ratio
from bench.rounds import Work, in_turns
from rules.engine.document import Content

ROUNDS, PAGES = 40, 25

EMPTY = "/bench/empty-page"

COMPARED = {"cold_page_over_empty_page": 0.5, "cold_page_at_home_over_empty_page": 1.0}
"""The share of pages about an airline's own country, where the other end can be anywhere, by figure."""


def measure(content: Content) -> Iterator[Line]:
    """Compare the times for the same number of pages."""
    # The import sets up Django, which needs the settings of the measured release.
    from compliance.wsgi import application
    from rules.corpus import stop_following

    works = {name: _turns(application, addresses(content, at_home)) for name, at_home in COMPARED.items()}
    works[EMPTY] = _turns(application, _always(EMPTY))
    try:
        seconds = in_turns(works, ROUNDS)
    finally:
        stop_following()
    for name in COMPARED:
        yield ratio(
            name,
            seconds[name],
            seconds[EMPTY],
            page_us=round(min(seconds[name]) / PAGES * 1e6, 1),
            compared_us=round(min(seconds[EMPTY]) / PAGES * 1e6, 1),
        )


def addresses(content: Content, at_home: float, seed: int = 7) -> Iterator[str]:
    """Yield addresses of verdict pages, none twice, a share of them about the airline's own country."""
    rng = random.Random(seed)
    covered = {rule.airline for rule in content.rules if rule.airline is not None}
    airlines = [airline for airline in content.airlines if airline.airline in covered]
    given = set()
    while True:
        device, airline = rng.choice(content.devices), rng.choice(airlines)
        home = rng.random() < at_home
        country = airline.country if home else rng.choice(content.countries).code
        address = f"/p/{device.model_id}/{airline.airline.lower()}/{country.lower()}"
        if address not in given:
            given.add(address)
            yield address


def _always(path: str) -> Iterator[str]:
    while True:
        yield path


def _turns(application: Application, paths: Iterator[str]) -> Work:
    def prepare() -> Callable[[], None]:
        asked = [next(paths) for _ in range(PAGES)]

        def timed() -> None:
            for path in asked:
                for _ in read(application, path):
                    pass

        return timed

    return prepare
