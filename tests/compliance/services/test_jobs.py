"""Cache and jobs on the real Redis."""

import os
import socket
import threading

import pytest
from celery import current_app
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import TimeoutError as RedisTimeoutError

from compliance.celery import app
from compliance.services import ports
from compliance.settings import CACHES
from tests.compliance.services.probe import leave_a_note
from tests.support import roles
from tests.support.processes import Start, wait_until


def test_the_cache_gives_back_what_it_got() -> None:
    cache.set("round-trip", {"watt_hour": 99.9}, timeout=60)
    assert cache.get("round-trip") == {"watt_hour": 99.9}
    cache.delete("round-trip")
    assert cache.get("round-trip") is None


def test_a_silent_redis_is_asked_once_and_not_for_long() -> None:
    options = CACHES["default"]["OPTIONS"]
    assert options["socket_connect_timeout"] + options["socket_timeout"] < 1
    with ports.claim(ports.free_port()) as silent:
        unanswered = RedisCache(f"redis://127.0.0.1:{silent.getsockname()[1]}/0", {"OPTIONS": options})
        with pytest.raises(RedisTimeoutError):
            unanswered.get("anything")
        unanswered.close()
        silent.setblocking(False)
        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()


def test_a_worker_runs_a_job_sent_from_any_thread(start: Start) -> None:
    services = {name: os.environ[name] for name in ("REDIS_URL", "SECRET_KEY", "VERDICT_KEY")}
    worker = start(
        *("-m", "celery", "--app=compliance", "worker", "--include=tests.compliance.services.probe"),
        *("--concurrency=1", "--loglevel=WARNING", f"--hostname=probe@{socket.gethostname()}"),
        **services,
        DATABASE_URL=roles.URLS["worker"],
    )
    # The threads of the web server made no Celery application of their own.
    sender = threading.Thread(target=leave_a_note.delay, args=["note-from-the-worker"])
    sender.start()
    sender.join()
    wait_until(lambda: cache.get("note-from-the-worker") is not None or worker.poll() is not None)
    assert cache.get("note-from-the-worker") == ["postgres", False]
    worker.terminate()
    assert worker.wait(timeout=60) == 0


def test_every_thread_sends_its_jobs_through_our_application() -> None:
    seen = []
    thread = threading.Thread(target=lambda: seen.append(current_app._get_current_object()))
    thread.start()
    thread.join()
    assert seen == [app]


def test_the_ledger_is_verified_every_night() -> None:
    assert "rules.tasks.verify_ledger" in scheduled()
    app.loader.import_default_modules()
    assert "rules.tasks.verify_ledger" in app.tasks


def test_pages_and_datasets_are_brought_in_line_again_and_again() -> None:
    assert "aeo.tasks.catch_up" in scheduled()
    app.loader.import_default_modules()
    assert "aeo.tasks.catch_up" in app.tasks


def scheduled() -> set[str]:
    """Return the names of the jobs that beat sends."""
    return {entry["task"] for entry in app.conf.beat_schedule.values()}
