"""The settings, read by fresh processes from chosen environments."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from catalog.signing_keys import new_seed, signing_key
from checks.production import PRODUCTION
from compliance.services import embedded
from tests.support.fresh_settings import Reader, reading

COMPLETE = {"DATABASE_URL": "postgresql://u:p@db.example:5433/name", "SECRET_KEY": "s", "VERDICT_KEY": "v"}


@pytest.fixture(scope="module")
def reader(bare_environment: dict[str, str]) -> Iterator[Reader]:
    with reading(bare_environment) as reader:
        yield reader


def test_a_database_without_keys_is_refused(reader: Reader) -> None:
    complaint = reader.complaint(DATABASE_URL=COMPLETE["DATABASE_URL"])
    assert "SECRET_KEY: Environment variable not set." in complaint
    assert "VERDICT_KEY: Environment variable not set." in complaint
    assert "DATABASE_URL:" not in complaint


def test_an_empty_key_is_refused(reader: Reader) -> None:
    assert "VERDICT_KEY: Must not be empty." in reader.complaint(**COMPLETE | {"VERDICT_KEY": ""})


def test_all_wrong_variables_are_reported_at_once(reader: Reader) -> None:
    complaint = reader.complaint(
        DEBUG="maybe", VERDICT_VALIDITY_HOURS="0", LOG_LEVEL="loud", DATABASE_URL="what?"
    )
    for name in ("DEBUG", "VERDICT_VALIDITY_HOURS", "LOG_LEVEL", "DATABASE_URL", "SECRET_KEY", "VERDICT_KEY"):
        assert f"  {name}: " in complaint


def test_a_command_shows_wrong_variables_without_a_traceback(bare_environment: dict[str, str]) -> None:
    answer = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=embedded.REPOSITORY,
        env=bare_environment | COMPLETE | {"VERDICT_KEY": ""},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 1
    assert answer.stderr.startswith(
        "manage.py: These environment variables are missing or wrong:\n  VERDICT_KEY: "
    )
    assert "Traceback" not in answer.stderr


def test_what_is_not_set_is_safe(reader: Reader) -> None:
    assert reader.value(
        "[s.DEBUG, s.VERDICT_VALIDITY_HOURS, s.CORPUS_POLL_SECONDS, s.ALLOWED_HOSTS]", **COMPLETE
    ) == [
        False,
        24,
        0.5,
        ["localhost", "127.0.0.1", "[::1]"],
    ]


def test_the_address_of_the_site_is_this_machine_until_a_person_says_more(reader: Reader) -> None:
    assert reader.value("s.SITE_URL", **COMPLETE) == "http://127.0.0.1:8000"
    assert reader.value("s.SITE_URL", **COMPLETE, SITE_URL="https://a.example") == "https://a.example"
    for wrong in ("a.example", "https://a.example/", "ftp://a.example"):
        assert "SITE_URL: Must be an address such as" in reader.complaint(**COMPLETE, SITE_URL=wrong)


def test_the_database_is_the_one_that_is_named(reader: Reader) -> None:
    database = reader.value("s.DATABASES['default']", **COMPLETE)
    assert isinstance(database, dict)
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db.example", 5433, "name")
    assert database["ENGINE"] == "compliance.database"


def test_only_web_processes_pool_connections(reader: Reader) -> None:
    pool = "s.DATABASES['default'].get('OPTIONS', {}).get('pool')"
    assert reader.value(pool, **COMPLETE) is None
    assert reader.value(pool, **COMPLETE, DATABASE_POOL="true", WEB_THREADS="6") == {
        "min_size": 1,
        "max_size": 6,
        "timeout": 2,
    }


@pytest.mark.parametrize("rate", ["60", "0/m", "60/", "60/w", "-1/m", "60 / m", "60/0s", "60/m\n"])
def test_a_rate_that_is_none_is_refused(reader: Reader, rate: str) -> None:
    assert "ANONYMOUS_RATE: Must be a rate such as" in reader.complaint(**COMPLETE, ANONYMOUS_RATE=rate)


def test_limits_and_proxies_are_as_cautious_as_can_be_until_a_person_says_more(reader: Reader) -> None:
    assert reader.value("[s.ANONYMOUS_RATE, s.TRUSTED_PROXIES]", **COMPLETE) == ["60/m", 0]
    assert "TRUSTED_PROXIES: " in reader.complaint(**COMPLETE, TRUSTED_PROXIES="-1")


def test_without_redis_the_cache_and_the_jobs_stay_in_process(reader: Reader) -> None:
    assert reader.value("[s.CACHES['default']['BACKEND'], s.CELERY_TASK_ALWAYS_EAGER]", **COMPLETE) == [
        "django.core.cache.backends.locmem.LocMemCache",
        True,
    ]


def test_with_redis_the_cache_and_the_jobs_use_it(reader: Reader) -> None:
    values = "[s.CACHES['default']['LOCATION'], s.CELERY_BROKER_URL, s.CELERY_TASK_ALWAYS_EAGER]"
    url = "redis://cache.example:6379/0"
    assert reader.value(values, **COMPLETE, REDIS_URL=url) == [url, url, False]


def test_pages_are_fetched_under_the_name_of_this_service(reader: Reader) -> None:
    agent = reader.value("s.FETCH_USER_AGENT", **COMPLETE, SITE_URL="https://batteries.example")
    assert agent == "BatteryTravelCompliance/1.0 (+https://batteries.example/about)"
    assert reader.value("s.FETCH_USER_AGENT", **COMPLETE, FETCH_USER_AGENT="Other/2 (x)") == "Other/2 (x)"
    assert "FETCH_USER_AGENT: " in reader.complaint(**COMPLETE, FETCH_USER_AGENT="Other/2\r\nCookie: x")


def test_test_networks_are_refused_where_others_are_served(reader: Reader) -> None:
    networks = {"FETCH_TEST_NETWORKS": "127.0.1.0/24,fd00::/64"}
    assert reader.value("s.FETCH_TEST_NETWORKS", **COMPLETE, **networks) == ["127.0.1.0/24", "fd00::/64"]
    assert "FETCH_TEST_NETWORKS: Must be empty." in reader.complaint(**PRODUCTION | networks)
    complaint = reader.complaint(**COMPLETE, FETCH_TEST_NETWORKS="127.0.1.1/24")
    assert "FETCH_TEST_NETWORKS: Must be networks such as 127.0.1.0/24." in complaint


def test_keys_of_receipts_are_keys_and_stand_there_once(reader: Reader) -> None:
    seed, public = new_seed(), signing_key(new_seed()).public.x
    assert reader.value("s.RECEIPT_KEYS", **COMPLETE) == []
    assert reader.value("s.RECEIPT_KEYS", **COMPLETE, RECEIPT_KEYS=seed) == [seed]
    assert reader.value("s.RECEIPT_RETIRED_KEYS", **COMPLETE, RECEIPT_RETIRED_KEYS=public) == [public]
    for wrong in ("short", f"{seed}=", seed[:-1], f"{seed},{seed}", "A" * 43, f"{seed},,"):
        complaint = reader.complaint(**COMPLETE, RECEIPT_KEYS=wrong)
        assert "RECEIPT_KEYS: One of them" in complaint
        # What may be the better part of a secret does not stand in a log.
        assert wrong not in complaint
    assert "RECEIPT_RETIRED_KEYS: One of them" in reader.complaint(**COMPLETE, RECEIPT_RETIRED_KEYS="x")


def test_who_serves_the_public_has_a_key_for_receipts(reader: Reader) -> None:
    assert "RECEIPT_KEYS: Is empty." in reader.complaint(**PRODUCTION | {"RECEIPT_KEYS": ""})


def test_what_others_are_served_from_starts_with_all_that_it_needs(reader: Reader) -> None:
    values = "[s.IS_PUBLIC, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS, s.SECURE_HSTS_PRELOAD]"
    assert reader.value(values, **PRODUCTION) == [True, True, 31536000, False]
    assert reader.value("s.SECURE_HSTS_SECONDS", **PRODUCTION, HSTS_SECONDS="60") == 60


def test_on_this_machine_nothing_of_it_is_asked(reader: Reader) -> None:
    values = "[s.IS_PUBLIC, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS, s.SESSION_COOKIE_NAME]"
    assert reader.value(values, **COMPLETE) == [False, False, 0, "sessionid"]


def test_others_are_not_served_with_what_was_never_set_and_all_of_it_is_said_at_once(reader: Reader) -> None:
    complaint = reader.complaint(
        **COMPLETE | {"ALLOWED_HOSTS": "*", "DEBUG": "true", "REDIS_URL": "redis://cache.example:6379"}
    )
    assert (
        "These settings are not safe while the service is open to other machines (ALLOWED_HOSTS: *):"
        in complaint
    )
    for said in (
        "  SECRET_KEY: Is too short: it has 1 characters, and needs 50.",
        "  VERDICT_KEY: Is too short: ",
        "  DEBUG: Must be off.",
        "  ALLOWED_HOSTS: Must contain whole host names.",
        "  SITE_URL: Must begin with https://, not http://.",
        "  TRUSTED_PROXIES: Must be at least 1.",
        "  DATABASE_URL: Must say whether the way to db.example is encrypted",
        "  REDIS_URL: Needs a password for cache.example.",
    ):
        assert said in complaint
    # What is secret is not repeated.
    assert "u:p@" not in complaint


def test_a_key_before_the_present_one_still_counts(reader: Reader) -> None:
    assert reader.value("s.SECRET_KEY_FALLBACKS", **PRODUCTION, SECRET_KEY_FALLBACKS="a,b") == ["a", "b"]


@pytest.mark.parametrize("path", ["", "/admin", "../x", "admin\n"])
def test_a_path_of_the_admin_that_is_none_is_refused(reader: Reader, path: str) -> None:
    assert "ADMIN_PATH: Must be a path such as" in reader.complaint(**COMPLETE, ADMIN_PATH=path)


@pytest.mark.parametrize("variables", [{}, {"EMAIL_URL": ""}])
def test_an_empty_mail_server_is_none(reader: Reader, variables: dict[str, str]) -> None:
    backend = reader.value("s.EMAIL_BACKEND", **COMPLETE, **variables)
    assert backend == "django.core.mail.backends.console.EmailBackend"
