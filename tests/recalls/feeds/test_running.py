"""The feeds by command and by job."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from recalls.models import FeedNotice
from recalls.tasks import sync_feed
from tests.recalls.feeds import samples
from tests.recalls.feeds.server import FeedServer


def output_of(*arguments: str) -> str:
    out = StringIO()
    call_command("feeds", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_the_command_reads_all_feeds_and_says_what_waits(catalog: None, server: FeedServer) -> None:
    assert "never read" in output_of("status")
    assert "CPSC (United States): 1 new." in output_of("sync")
    assert FeedNotice.objects.count() == 4
    status = output_of("status")
    assert "1 drafted" in status
    assert "0 reviews, 0 missing, 0 set aside" in status


def test_a_feed_that_fails_keeps_no_other_waiting_and_fails_the_command(
    catalog: None, server: FeedServer
) -> None:
    server.answers["/RestWebServices/Recall"] = samples.as_json(samples.CPSC_ERROR)
    with pytest.raises(CommandError, match="cpsc"):
        output_of("sync")
    assert FeedNotice.objects.count() == 3
    assert "failed: The service answers with an error" in output_of("status")


def test_a_job_that_fails_says_so_loudly_in_the_log(
    catalog: None, server: FeedServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.answers["/HCRSAMOpenData.json"] = b"<html>"
    sync_feed("health_canada")
    (record,) = [record for record in caplog.records if record.name == "recalls.tasks"]
    assert record.levelname == "ERROR"
    assert "is not a JSON array" in record.getMessage()
