"""What keeps the service from being served to others."""

import secrets

import pytest
from environs import Env

from checks.production import PRODUCTION
from compliance.operations.production_checks import Start, problems, weakness


def found(**variables: str) -> list[str]:
    """Return what is wrong with an environment."""
    values = PRODUCTION | variables
    env = Env()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("URL", values["DATABASE_URL"])
        database = env.dj_db_url("URL")
    return list(
        problems(
            Start(
                keys={name: values[name] for name in ("SECRET_KEY", "VERDICT_KEY")},
                receipt_keys=values["RECEIPT_KEYS"].split(","),
                release_keys=[one for one in values["RELEASE_PUBLIC_KEYS"].split(",") if one],
                debug=False,
                allowed_hosts=values["ALLOWED_HOSTS"].split(","),
                site_url=values["SITE_URL"],
                trusted_proxies=int(values["TRUSTED_PROXIES"]),
                fetch_test_networks=[],
                database=database,
                redis_url=values["REDIS_URL"],
            )
        )
    )


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"SECRET_KEY": "change-me" * 8}, "SECRET_KEY: Is not secret: it contains `changeme`."),
        (
            {"SECRET_KEY": "django-insecure-" + "k3Q" * 20},
            "SECRET_KEY: Is not secret: it contains `insecure`.",
        ),
        ({"SECRET_KEY": "only-for-tests"}, "SECRET_KEY: Is not secret: it contains `onlyfortests`."),
        ({"SECRET_KEY": "none"}, "SECRET_KEY: Is too short"),
        ({"VERDICT_KEY": "a1b2c3d4e5" * 6}, "VERDICT_KEY: Can be guessed: it repeats itself."),
        ({"VERDICT_KEY": "a" * 60 + "bcde"}, "VERDICT_KEY: Can be guessed: it has too few"),
        ({"VERDICT_KEY": PRODUCTION["SECRET_KEY"]}, "SECRET_KEY and VERDICT_KEY: Must differ"),
        ({"ALLOWED_HOSTS": "batteries.example,.example"}, "`.example` would accept names of others."),
        (
            {"ALLOWED_HOSTS": "batteries.example,*.example.org"},
            "`*.example.org` would accept names of others",
        ),
        ({"RELEASE_PUBLIC_KEYS": ""}, "RELEASE_PUBLIC_KEYS: Is empty. It must contain the public key"),
        ({"SITE_URL": "http://batteries.example"}, "SITE_URL: Must begin with https://"),
        ({"SITE_URL": "https://other.example"}, "SITE_URL: Its host other.example is not in ALLOWED_HOSTS"),
        ({"DATABASE_URL": "postgresql://u:p@10.0.0.5/n?sslmode=prefer"}, "the way to 10.0.0.5 is encrypted"),
    ],
)
def test_others_are_not_served_with_this(variables: dict[str, str], said: str) -> None:
    assert [line for line in found(**variables) if said in line]


@pytest.mark.parametrize(
    "variables",
    [
        {"ALLOWED_HOSTS": "batteries.example,127.0.0.1,localhost,[::1]"},
        {"ALLOWED_HOSTS": ".batteries.example"},
        {"DATABASE_URL": "postgresql://u:p@127.0.0.1/n"},
        {"DATABASE_URL": "postgresql://u:p@%2Fvar%2Frun%2Fpostgresql/n"},
        {"DATABASE_URL": "postgresql://u:p@db/n?sslmode=disable"},
        {"REDIS_URL": "redis://127.0.0.1:6379/0"},
        {"REDIS_URL": ""},
    ],
)
def test_others_are_served_with_this(variables: dict[str, str]) -> None:
    assert found(**variables) == []


def test_two_thousand_new_keys_are_all_taken() -> None:
    assert not any(weakness(secrets.token_urlsafe(48)) for _ in range(2_000))
