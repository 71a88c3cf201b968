"""The readers of the measured edge read as people do: few pages often, and most pages hardly ever."""

from collections import Counter
from itertools import islice

from bench.scale.readers import drawn

PAGES = [f"/p/{number}" for number in range(1, 1_001)]
READS = 50_000


def test_a_page_is_read_as_often_as_the_inverse_of_its_place() -> None:
    times = Counter(drawn(PAGES, seed=1, count=READS))
    assert times.total() == READS
    assert times.most_common(1)[0][0] == "/p/1"
    # 1/1 + … + 1/9 is close to 1/10 + … + 1/99, and so on.
    tens = [sum(times[page] for page in PAGES[first - 1 : 10 * first - 1]) for first in (1, 10, 100)]
    assert max(tens) < 1.1 * min(tens)


def test_each_seed_reads_the_same_pages_every_time_and_others_than_another() -> None:
    first = list(islice(drawn(PAGES, seed=1, count=50), 50))
    assert first == list(drawn(PAGES, seed=1, count=50))
    assert first != list(drawn(PAGES, seed=2, count=50))
