"""The environment variables, read and checked once. Each name in capitals here is a setting.

Required: DATABASE_URL, SECRET_KEY, VERDICT_KEY. `make run`, `manage.py` and the tests provide them, so on a
developer's machine nothing needs to be set. All wrong variables are reported at once. `docs/settings.md`
lists all of them; a test compares its names and defaults with this module.
"""

import ipaddress
import os
from pathlib import Path
from typing import cast

from django.core.exceptions import ImproperlyConfigured
from environs import Env, EnvValidationError, ValidationError, validate

from catalog.signing_keys import BadKey, public_key, signing_key
from compliance.operations import production_checks
from compliance.operations.logs import format_for
from compliance.services.embedded import data_dir

# Not eager: missing or wrong values are collected until `seal`, and are None until then.
env = Env(eager=False)
not_empty = validate.Length(min=1, error="Must not be empty.")


def are_networks(networks: list[str]) -> None:
    """Refuse a value that is not a list of IP networks."""
    try:
        for network in networks:
            ipaddress.ip_network(network)
    except ValueError:
        raise ValidationError("Must be networks such as 127.0.1.0/24.") from None


def are_seeds(seeds: list[str]) -> None:
    """Refuse a value that is not a list of receipt secrets. The error never repeats the value."""
    try:
        known = {signing_key(seed).public.kid for seed in seeds}
    except BadKey as error:
        raise ValidationError(f"One of them {error}.") from None
    if len(known) < len(seeds):
        raise ValidationError("One of them is listed twice.")


def is_seed_or_nothing(seed: str) -> None:
    """Refuse a value that is not a secret of a key. The error never repeats the value."""
    if seed:
        are_seeds([seed])


def are_public_keys(keys: list[str]) -> None:
    """Refuse a value that is not a list of public keys."""
    try:
        for key in keys:
            public_key(key)
    except BadKey as error:
        raise ValidationError(f"One of them {error}.") from None


def rate(name: str, default: str) -> str:
    """Read a rate as django-ratelimit writes it. The error message gives the default as an example."""
    return env.str(
        name,
        default,
        validate=validate.Regexp(
            r"^[1-9]\d{0,8}/([1-9]\d{0,3})?[smhd]\Z", error=f"Must be a rate such as {default} or 100/10s."
        ),
    )


# Never on in production: error pages would show settings and requests.
DEBUG = env.bool("DEBUG", False)
# Signs what Django signs.
SECRET_KEY = env.str("SECRET_KEY", validate=not_empty)
# Earlier keys, newest first: their signatures are still valid. Make it empty when all sessions have ended.
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", [])
# The HMAC key of verdict ids. A new key makes earlier ids unverifiable.
VERDICT_KEY = env.str("VERDICT_KEY", validate=not_empty)
# The Ed25519 seeds that sign receipts: the first one signs, all are published. And the public keys of earlier
# seeds, whose receipts stay ours. `manage.py receipts new-key` makes a seed.
receipt_keys: list[str] = env.list("RECEIPT_KEYS", [], validate=are_seeds)
receipt_retired_keys: list[str] = env.list("RECEIPT_RETIRED_KEYS", [], validate=are_public_keys)
# The name of the algorithm in new receipts. Few libraries know `Ed25519` (RFC 9864); both are always read.
RECEIPT_ALGORITHM = env.str("RECEIPT_ALGORITHM", "EdDSA", validate=validate.OneOf(["EdDSA", "Ed25519"]))
# The Ed25519 seed that signs releases, only for the publisher and for commands of operators. And the public
# keys by which every process knows releases: that of the seed, and those of earlier ones.
# `manage.py release new-key` makes both.
RELEASE_KEY = env.str("RELEASE_KEY", "", validate=is_seed_or_nothing)
release_public_keys: list[str] = env.list("RELEASE_PUBLIC_KEYS", [], validate=are_public_keys)
# The file with the last release that was published. A process that can read it uses no ledger that ends
# earlier. Not set: `release-head` in DATA_DIR.
release_head_file = env.str("RELEASE_HEAD_FILE", "")
# How long a verdict is valid after it was given. Events that end it sooner are looked for 30 days ahead.
VERDICT_VALIDITY_HOURS = env.int("VERDICT_VALIDITY_HOURS", 24, validate=validate.Range(min=1, max=720))
# How often a process asks whether a new release was published. 0: only when it starts.
CORPUS_POLL_SECONDS = env.float("CORPUS_POLL_SECONDS", 0.5, validate=validate.Range(min=0))
# The host names that requests may ask for.
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
# The public address of this service, without a final slash: pages, the manifest and the sitemaps use it.
SITE_URL = env.str(
    "SITE_URL",
    "http://127.0.0.1:8000",
    validate=validate.Regexp(
        r"^https?://[^/?#\s]+\Z", error="Must be an address such as https://example.com."
    ),
)
# Whether scheduled jobs visit the pages of sources, and read the feeds of recalls. Not set: on if the
# service is open to other machines. `manage.py watch` and `manage.py feeds` do it by hand.
watch_sources = env.bool("WATCH_SOURCES", None)
# The key that shows search engines that this site itself announces changed pages (IndexNow), and the address
# for announcements. Without a key nothing is announced.
INDEXNOW_KEY = env.str(
    "INDEXNOW_KEY",
    "",
    validate=validate.Regexp(
        r"^([A-Za-z0-9-]{8,128})?\Z", error="Must be 8 to 128 letters, digits and hyphens."
    ),
)
INDEXNOW_ENDPOINT = env.str(
    "INDEXNOW_ENDPOINT",
    "https://api.indexnow.org/indexnow",
    validate=validate.Regexp(r"^https?://[^\s]+\Z", error="Must be a web address."),
)
# The name that is sent when pages are fetched. A robots.txt may address its first word, up to the slash. Not
# set: this service, with its page about itself.
fetch_user_agent = env.str(
    "FETCH_USER_AGENT",
    "",
    validate=validate.Regexp(
        r"^([A-Za-z_-]+(/[^\s]+)?( [\x20-\x7e]*)?)?\Z",
        error="Must begin with a name such as Example/1.0.",
    ),
)
# How long one page may take, and how large it may get; PDF files may be four times as large.
FETCH_SECONDS = env.float("FETCH_SECONDS", 30, validate=validate.Range(min=1, max=300))
FETCH_MAX_BYTES = env.int("FETCH_MAX_BYTES", 5 * 1024 * 1024, validate=validate.Range(min=1024))
# Seconds between two requests to one host.
FETCH_HOST_PAUSE_SECONDS = env.float("FETCH_HOST_PAUSE_SECONDS", 5, validate=validate.Range(min=0, max=300))
# Networks such as 127.0.1.0/24 that tests fetch from, although they are not public. Refused if the service is
# open to other machines.
FETCH_TEST_NETWORKS: list[str] = env.list("FETCH_TEST_NETWORKS", [], validate=are_networks)
# The official feeds of recall notices. The feed of Safety Gate is the folder of its weekly reports.
FEED_ADDRESSES = {
    feed: env.str(
        f"FEED_{feed.upper()}_URL",
        address,
        validate=validate.Regexp(r"^https?://[^\s?#]+[^\s?#/]\Z", error="Must be a web address."),
    )
    for feed, address in {
        "cpsc": "https://www.saferproducts.gov/RestWebServices/Recall",
        "safety_gate": "https://ec.europa.eu/safety-gate-alerts/api/download/weeklyReport",
        "health_canada": "https://recalls-rappels.canada.ca/sites/default/files/opendata-donneesouvertes/"
        "HCRSAMOpenData.json",
        "accc": "https://www.productsafety.gov.au/rss/feed.xml/psa_recall",
    }.items()
}
# The partner key of `manage.py mcp`. Not set: an anonymous caller on this machine.
MCP_KEY = env.str("MCP_KEY", "")
# For how many seconds a process accepts a partner key without a new lookup in the database; a revoked key may
# be valid that long. 0: a lookup for every request with a key.
PARTNER_KEYS_TTL_SECONDS = env.float("PARTNER_KEYS_TTL_SECONDS", 5, validate=validate.Range(min=0))
# For how many seconds a valid key stays valid while the database is not available.
PARTNER_KEYS_OUTAGE_SECONDS = env.float("PARTNER_KEYS_OUTAGE_SECONDS", 3600, validate=validate.Range(min=0))
# How many requests an anonymous caller may send from one address in so many seconds, minutes, hours or days,
# such as 60/m or 100/10s.
ANONYMOUS_RATE = rate("ANONYMOUS_RATE", "60/m")
# The same for requests of the public checker: answers, trips, and suggestions during typing.
PAGES_RATE = rate("PAGES_RATE", "240/m")
# The same for everything that is read without asking: pages, lists, feeds, datasets and sitemaps. Each
# process counts alone, and a large answer counts as several.
READING_RATE = rate("READING_RATE", "2400/m")
# The same for the sandbox, where partners have the same rate as anonymous callers.
SANDBOX_RATE = rate("SANDBOX_RATE", "240/m")
# How many watches of trips an anonymous caller may make from one address.
WATCH_RATE = rate("WATCH_RATE", "20/d")
# How many watches of trips each partner may have at a time.
PARTNER_WATCHES = env.int("PARTNER_WATCHES", 10_000, validate=validate.Range(min=0))
# How many bytes of ready pages a web process caches. 0: none.
WARM_PAGES_BYTES = env.int("WARM_PAGES_BYTES", 16 * 1024 * 1024, validate=validate.Range(min=0))
# How many proxies are between clients and service. Each of them adds its caller to X-Forwarded-For. 0: none,
# so the header is not trusted.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0, validate=validate.Range(min=0, max=9))
# For how many seconds browsers use only TLS after a visit (HSTS), whether that also applies to all
# subdomains, and whether browsers may have it built in, which is hard to undo.
HSTS_SECONDS = env.int("HSTS_SECONDS", 365 * 24 * 60 * 60, validate=validate.Range(min=0))
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", True)
SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", False)
# The path of the admin, as in /admin/: a word, or several with slashes between them.
ADMIN_PATH = env.str(
    "ADMIN_PATH",
    "admin",
    validate=validate.Regexp(
        r"^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*)*\Z", error="Must be a path such as admin or desk/7k2m."
    ),
)
# Where to report vulnerabilities, such as mailto:security@example.com. Not set: there is no
# /.well-known/security.txt.
SECURITY_CONTACT = env.str(
    "SECURITY_CONTACT",
    "",
    validate=validate.Regexp(
        r"^((mailto:|tel:|https://)[^\s]+)?\Z", error="Must begin with https://, mailto: or tel:."
    ),
)
# The mail server for notices about accounts and keys, such as smtp://user:password@mail.example.com:587/?tls=True.
# Not set, or empty: mails are written to standard output.
if not os.environ.get("EMAIL_URL"):
    os.environ.pop("EMAIL_URL", None)
mail = env.dj_email_url("EMAIL_URL", "console:")
# The sender of these mails.
MAIL_FROM = env.str("MAIL_FROM", "Battery travel compliance <noreply@localhost>")
# Whether all users of the admin need a second factor; if off, only users who have one are asked. Not set: on,
# except if only this machine can sign in.
second_factor = env.bool("DESK_SECOND_FACTOR", None)
# When a session of the admin ends: after this time without use, and after this time in any case.
DESK_IDLE_MINUTES = env.int("DESK_IDLE_MINUTES", 30, validate=validate.Range(min=5))
DESK_SESSION_HOURS = env.int("DESK_SESSION_HOURS", 12, validate=validate.Range(min=1))
# The name of this copy of the service in the header of the desk.
environment_name = env.str("DESK_ENVIRONMENT", "")
# The folder where each process records its verdicts before they leave, until they are in the database. A
# folder of this machine. Not set: `spool` in DATA_DIR.
spool_dir = env.str("VERDICT_SPOOL_DIR", "")
# The maximum size of that folder while the database or Redis is away, and what happens to a verdict that
# cannot be recorded: `answer` gives it and logs an error that its record is lost; `refuse` does not give it.
VERDICT_SPOOL_MAX_BYTES = env.int(
    "VERDICT_SPOOL_MAX_BYTES", 256 * 1024 * 1024, validate=validate.Range(min=64 * 1024)
)
VERDICT_LOG_FULL = env.str("VERDICT_LOG_FULL", "answer", validate=validate.OneOf(["answer", "refuse"]))
# For how many days the record of a verdict is kept.
VERDICT_LOG_DAYS = env.int("VERDICT_LOG_DAYS", 400, validate=validate.Range(min=1))
# How often a process forwards its records. 0: never, another process does it.
VERDICT_SHIP_SECONDS = env.float("VERDICT_SHIP_SECONDS", 1, validate=validate.Range(min=0))
# INFO and lower levels log a line for each request.
LOG_LEVEL = env.str("LOG_LEVEL", "INFO", validate=validate.OneOf(["DEBUG", "INFO", "WARNING", "ERROR"]))
# Not set: JSON if the service is open to other machines, text for people otherwise.
log_format = env.str("LOG_FORMAT", "", validate=validate.OneOf(["json", "text", ""]))
# Where spans (OpenTelemetry, OTLP over HTTP) and errors (Sentry) are sent. Not set: nowhere.
is_address_or_nothing = validate.Regexp(r"^(https?://[^\s]+)?\Z", error="Must be a web address.")
OTEL_EXPORTER_OTLP_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", "", validate=is_address_or_nothing)
SENTRY_DSN = env.str("SENTRY_DSN", "", validate=is_address_or_nothing)

database = env.dj_db_url("DATABASE_URL", engine="compliance.database")
# Set by `wsgi.py` and `asgi.py`. Celery workers and commands open one connection each and need no pool.
pooled = env.bool("DATABASE_POOL", False)
# Threads of one web process, and so the connections that its pool may open. `make run` reads it as well.
web_threads = env.int("WEB_THREADS", 4, validate=validate.Range(min=1))
# Without it the cache is in process, and tasks run in process too.
REDIS_URL = env.str("REDIS_URL", "")

try:
    env.seal()
except EnvValidationError as error:
    problems = cast("dict[str, list[str]]", error.error_messages)
    lines = [f"  {name}: {' '.join(messages)}" for name, messages in problems.items()]
    raise ImproperlyConfigured(
        "\n".join(
            [
                "These environment variables are missing or wrong:",
                *lines,
                "With DATABASE_URL, SECRET_KEY and VERDICT_KEY are also required. `make run` and "
                "`manage.py` provide all three if DATABASE_URL is not set.",
            ]
        )
    ) from error

RELEASE_HEAD_FILE = Path(release_head_file) if release_head_file else data_dir() / "release-head"
VERDICT_SPOOL_DIR = Path(spool_dir) if spool_dir else data_dir() / "spool"
# Each answer looks its keys up by these.
RECEIPT_KEYS = tuple(receipt_keys)
RECEIPT_RETIRED_KEYS = tuple(receipt_retired_keys)
RELEASE_PUBLIC_KEYS = tuple(release_public_keys)

# Host names beyond this machine are served with TLS, by a proxy in front, or not at all.
hosts_beyond = sorted({*ALLOWED_HOSTS} - {"localhost", "127.0.0.1", "[::1]"})
IS_PUBLIC = bool(hosts_beyond)

# The defaults of these settings depend on who can reach the service.
WATCH_SOURCES = IS_PUBLIC if watch_sources is None else watch_sources
DESK_ENVIRONMENT = environment_name or ("production" if IS_PUBLIC else "this machine")
DESK_SECOND_FACTOR = bool(hosts_beyond or TRUSTED_PROXIES) if second_factor is None else second_factor
FETCH_USER_AGENT = fetch_user_agent or f"BatteryTravelCompliance/1.0 (+{SITE_URL}/about)"
LOG_FORMAT = log_format or format_for(ALLOWED_HOSTS)

if IS_PUBLIC:
    wrong = production_checks.problems(
        production_checks.Start(
            keys={"SECRET_KEY": SECRET_KEY, "VERDICT_KEY": VERDICT_KEY},
            receipt_keys=RECEIPT_KEYS,
            release_keys=RELEASE_PUBLIC_KEYS,
            debug=DEBUG,
            allowed_hosts=ALLOWED_HOSTS,
            site_url=SITE_URL,
            trusted_proxies=TRUSTED_PROXIES,
            fetch_test_networks=FETCH_TEST_NETWORKS,
            database=database,
            redis_url=REDIS_URL,
        )
    )
    if lines := [f"  {line}" for line in wrong]:
        raise ImproperlyConfigured(
            "\n".join(
                [
                    "These settings are not safe while the service is open to other machines (ALLOWED_HOSTS: "
                    f"{hosts_beyond[0]}):",
                    *lines,
                ]
            )
        )
