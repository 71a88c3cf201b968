"""What a worker logs and counts of its jobs: under the id of the request behind them, and no values."""

import json
from pathlib import Path

from celery import signature
from kombu.connection import Connection
from redis import Redis as Client

from compliance.celery import app
from compliance.operations import job_counts
from compliance.operations.logs import REQUEST_ID
from compliance.services.redis import Redis
from tests.support.processes import Start, wait_until

JOB = "rules.tasks.forget_visits"


def test_a_job_is_logged_under_its_request_and_counted(start: Start, redis: Redis, tmp_path: Path) -> None:
    # No database is there, so the job fails.
    worker = start(
        "-m", "celery", "--quiet", "--app", "compliance", "worker", "--pool", "solo", "--without-mingle",
        REDIS_URL=redis.url,
        DATABASE_URL="postgresql://127.0.0.1:1/none",
        SECRET_KEY="only-for-tests",
        VERDICT_KEY="only-for-tests",
        LOG_FORMAT="json",
        DATA_DIR=str(tmp_path),
    )  # fmt: skip
    before = REQUEST_ID.set("request-of-somebody")
    try:
        with Connection(redis.url) as connection:
            signature(JOB, app=app).apply_async(connection=connection)
    finally:
        REQUEST_ID.reset(before)
    with Client.from_url(redis.url, decode_responses=True) as client:
        wait_until(lambda: JOB in job_counts.jobs(client))
        counted = job_counts.jobs(client)[JOB]
    worker.terminate()
    lines = [json.loads(line) for line in worker.communicate(timeout=60)[1].splitlines() if line[:1] == "{"]

    assert counted.ended == {"failure": 1}
    assert counted.seconds > 0
    [failure] = [line for line in lines if line["logger"] == "celery.app.trace"]
    assert (failure["request_id"], failure["job"], failure["level"]) == ("request-of-somebody", JOB, "error")
    assert failure["error"].startswith("OperationalError")
    assert "127.0.0.1" not in json.dumps(failure)
