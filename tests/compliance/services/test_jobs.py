"""Cache and jobs on the real Redis."""

import os
import socket
import subprocess
import threading

import pytest
from celery import current_app
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import TimeoutError as RedisTimeoutError

from compliance.celery import app
from compliance.health.facts import read_redis_facts
from compliance.services import ports
from compliance.settings import CACHES, CELERY_TASK_ROUTES
from tests.compliance.services import probe
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


def a_worker(start: Start) -> "subprocess.Popen[str]":
    """Start a worker that knows the jobs of `probe`, too."""
    services = {name: os.environ[name] for name in ("REDIS_URL", "SECRET_KEY", "VERDICT_KEY")}
    return start(
        *("-m", "celery", "--app=compliance", "worker", "--include=tests.compliance.services.probe"),
        *("--concurrency=1", "--loglevel=WARNING", f"--hostname=probe@{socket.gethostname()}"),
        **services,
        DATABASE_URL=roles.URLS["worker"],
    )


def test_a_worker_runs_a_job_sent_from_any_thread(start: Start) -> None:
    worker = a_worker(start)
    # The threads of the web server made no Celery application of their own.
    sender = threading.Thread(target=probe.leave_a_note.delay, args=["note-from-the-worker"])
    sender.start()
    sender.join()
    wait_until(lambda: cache.get("note-from-the-worker") is not None or worker.poll() is not None)
    assert cache.get("note-from-the-worker") == ["postgres", False]
    worker.terminate()
    assert worker.wait(timeout=60) == 0


def test_a_proof_waits_until_all_other_jobs_are_done_and_is_counted_meanwhile(start: Start) -> None:
    before = read_redis_facts().queued["celery"]
    last = CELERY_TASK_ROUTES["rules.tasks.prove_release"]["priority"]
    for name, priority in (("proof-1", last), ("proof-2", last), ("verdicts", None)):
        probe.line_up.apply_async(args=[name], priority=priority)
    assert read_redis_facts().queued["celery"] == before + 3

    worker = a_worker(start)
    wait_until(lambda: len(cache.get("line", [])) == 3 or worker.poll() is not None)
    assert cache.get("line") == ["verdicts", "proof-1", "proof-2"]


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
