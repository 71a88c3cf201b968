"""One request at a time to a host, with a pause between two, in the order in which they were asked for."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from catalog.fetching import Fetcher, FetchFailed
from catalog.fetching.deadline import Deadline
from catalog.fetching.turns import MOST_HOSTS, Turns
from tests.catalog.fetching.servers import Server, page, policy, redirect, silence


def test_a_host_is_asked_one_after_the_other_with_pauses(server: Server) -> None:
    server.pages |= {f"/{number}": page() for number in range(6)}
    with Fetcher(policy(host_pause_seconds=0.1)) as fetcher, ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda number: fetcher.fetch(f"{server.root}/{number}"), range(6)))
    assert len(server.asked) == 7
    pages = [asked.began_at for asked in server.asked[1:]]
    assert all(later - earlier >= 0.1 for earlier, later in pairwise(pages))


def test_a_slow_answer_keeps_the_next_request_back(server: Server, fetcher: Fetcher) -> None:
    def slowly(connection: socket.socket) -> None:
        time.sleep(0.1)
        connection.sendall(page())

    server.pages["/"] = slowly
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(fetcher.fetch, [server.root] * 4))
    pages = [asked.began_at for asked in server.asked[1:]]
    assert all(later - earlier >= 0.1 for earlier, later in pairwise(pages))


def test_different_hosts_are_asked_at_once() -> None:
    gate = threading.Barrier(3, timeout=5)

    def meet(connection: socket.socket) -> None:
        gate.wait()
        connection.sendall(page())

    with (
        Server({"/": meet}, "127.0.1.1") as first,
        Server({"/": meet}, "127.0.1.2") as second,
        Server({"/": meet}, "127.0.1.3") as third,
        Fetcher(policy(seconds=5)) as fetcher,
        ThreadPoolExecutor(3) as threads,
    ):
        answers = list(threads.map(fetcher.fetch, [first.root, second.root, third.root]))
    assert [answer.status for answer in answers] == [200, 200, 200]


def test_waiting_for_a_turn_takes_nothing_from_the_time_of_a_fetch(server: Server) -> None:
    server.pages["/"] = page()
    with Fetcher(policy(seconds=1, host_pause_seconds=1.3)) as fetcher:
        fetcher.fetch(server.root)
        assert fetcher.fetch(server.root).status == 200
    assert server.asked[-1].began_at - server.asked[-2].began_at >= 1.3


def test_anyone_who_waits_too_long_is_told_that_others_were_asking(server: Server) -> None:
    server.pages |= {"/slow": silence, "/": page()}
    with Fetcher(policy(turn_seconds=0.2)) as fetcher, ThreadPoolExecutor(1) as threads:
        fetcher.fetch(server.root)
        slow = threads.submit(fetcher.fetch, f"{server.root}/slow", seconds=1)
        while "/slow" not in server.paths:
            time.sleep(0.01)
        with pytest.raises(FetchFailed) as failed:
            fetcher.fetch(server.root)
        assert failed.value.reason == "busy"
        with pytest.raises(FetchFailed, match="timed_out"):
            slow.result()
        # Whoever gave up is in nobody's way.
        assert fetcher.fetch(server.root).status == 200


def test_a_failed_fetch_gives_its_turn_back(server: Server, fetcher: Fetcher) -> None:
    server.pages |= {"/broken": b"no HTTP\r\n\r\n", "/": page()}
    for _ in range(3):
        with pytest.raises(FetchFailed):
            fetcher.fetch(f"{server.root}/broken")
    assert fetcher.fetch(server.root).status == 200


def test_no_one_overtakes() -> None:
    turns = Turns()
    order: list[int] = []

    def take(number: int) -> None:
        with turns.turn(("a.example", 80), 0.01, Deadline(9, 9)):
            order.append(number)

    with ThreadPoolExecutor(8) as threads, turns.turn(("a.example", 80), 0, Deadline(9, 9)):
        for number in range(8):
            threads.submit(take, number)
            while len(turns._hosts["a.example", 80].line) < number + 2:
                time.sleep(0.001)
    assert order == list(range(8))


def test_redirects_that_cross_do_not_wait_for_each_other(server: Server) -> None:
    with Server(address="127.0.1.2") as other:
        server.pages |= {"/a": redirect(f"{other.root}/b"), "/c": page()}
        other.pages |= {"/d": redirect(f"{server.root}/c"), "/b": page()}
        with Fetcher(policy()) as fetcher, ThreadPoolExecutor(8) as threads:
            urls = [f"{server.root}/a", f"{other.root}/d"] * 4
            assert [answer.status for answer in threads.map(fetcher.fetch, urls)] == [200] * 8


def test_hosts_are_forgotten_when_their_pause_is_over() -> None:
    turns = Turns()
    with turns.turn(("kept.example", 80), 60, Deadline(1, 1)):
        pass
    for number in range(3 * MOST_HOSTS):
        with turns.turn((f"{number}.example", 80), 0, Deadline(1, 1)):
            pass
    assert len(turns._hosts) <= MOST_HOSTS + 1
    with pytest.raises(FetchFailed, match="busy"), turns.turn(("kept.example", 80), 0, Deadline(1, 1)):
        pass
