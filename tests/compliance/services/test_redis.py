"""The Redis of the tests."""

from pathlib import Path

import pytest
import redis as client

from compliance.services import ServiceError, ports
from compliance.services import redis as service


def round_trip(url: str) -> str:
    """Store a value, return what is read back."""
    with client.Redis.from_url(url, decode_responses=True) as connection:
        connection.set("greeting", "hello")
        return str(connection.get("greeting"))


def test_a_redis_answers_until_it_is_stopped(tmp_path: Path) -> None:
    redis = service.Redis(tmp_path)
    redis.start()
    assert round_trip(redis.url) == "hello"
    redis.stop()
    with pytest.raises(client.ConnectionError):
        round_trip(redis.url)


def test_a_redis_asks_for_its_password(tmp_path: Path) -> None:
    redis = service.Redis(tmp_path)
    redis.start()
    try:
        with pytest.raises(client.AuthenticationError):
            round_trip(redis.url.replace("redis://:", "redis://:not"))
    finally:
        redis.stop()


def test_the_program_of_the_wheel_answers(tmp_path: Path) -> None:
    redis = service.Redis(tmp_path, service.wheel_program())
    redis.start()
    try:
        assert round_trip(redis.url) == "hello"
    finally:
        redis.stop()


def test_a_port_taken_at_the_last_moment_is_replaced_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    redis = service.Redis(tmp_path)
    with ports.claim(ports.free_port()) as taken:
        offers = iter([taken.getsockname()[1], ports.free_port()])
        monkeypatch.setattr(service, "free_port", lambda: next(offers))
        redis.start()
    try:
        assert round_trip(redis.url) == "hello"
    finally:
        redis.stop()


def test_a_redis_that_cannot_start_says_why(tmp_path: Path) -> None:
    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\necho no room left\n")
    program.chmod(0o755)
    with pytest.raises(ServiceError, match="no room left"):
        service.Redis(tmp_path, program).start()
