"""Settings, from environment variables.

Required: DATABASE_URL, SECRET_KEY, VERDICT_KEY. `make run`, `manage.py` and the tests provide them, so on a
developer's machine nothing needs to be set. All wrong variables are reported at once.
"""

import datetime
import functools
import hashlib
import ipaddress
from pathlib import Path
from typing import Any, cast

from celery.schedules import crontab
from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.core.exceptions import ImproperlyConfigured
from django.templatetags.static import static
from django.urls import reverse_lazy
from environs import Env, EnvValidationError, ValidationError, validate
from redis.backoff import NoBackoff
from redis.retry import Retry

from compliance.middleware.static_headers import keep_for_good
from compliance.operations import production_checks
from compliance.operations.logs import format_for
from compliance.records.receipts.keys import BadKey, public_key, signing_key
from compliance.services.embedded import data_dir

BASE_DIR = Path(__file__).resolve().parent.parent

# --- The environment --------------------------------------------------------------------------------------

# Not eager: what is missing or wrong is collected until `seal`, and is None until then.
env = Env(eager=False)
not_empty = validate.Length(min=1, error="Must not be empty.")


def are_networks(networks: list[str]) -> None:
    """Refuse what is not a list of IP networks."""
    try:
        for network in networks:
            ipaddress.ip_network(network)
    except ValueError:
        raise ValidationError("Must be networks such as 127.0.1.0/24.") from None


def are_seeds(seeds: list[str]) -> None:
    """Refuse what is not a list of secrets of receipts. What they are is never repeated."""
    try:
        known = {signing_key(seed).public.kid for seed in seeds}
    except BadKey as error:
        raise ValidationError(f"One of them {error}.") from None
    if len(known) < len(seeds):
        raise ValidationError("One of them stands there twice.")


def are_public_keys(keys: list[str]) -> None:
    """Refuse what is not a list of public keys of receipts."""
    try:
        for key in keys:
            public_key(key)
    except BadKey as error:
        raise ValidationError(f"One of them {error}.") from None


# Never on in production: error pages would show settings and requests.
DEBUG = env.bool("DEBUG", False)
# Signs what Django signs.
SECRET_KEY = env.str("SECRET_KEY", validate=not_empty)
# Those before it, newest first: what they signed still counts. Empty once all sessions have ended.
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", [])
# The HMAC key of verdict ids. A new key makes earlier ids unverifiable.
VERDICT_KEY = env.str("VERDICT_KEY", validate=not_empty)
# The Ed25519 seeds that receipts are signed with: the first one signs, all are published. And the public keys
# of earlier ones, whose receipts stay ours. `manage.py receipts new-key` makes a seed.
receipt_keys: list[str] = env.list("RECEIPT_KEYS", [], validate=are_seeds)
receipt_retired_keys: list[str] = env.list("RECEIPT_RETIRED_KEYS", [], validate=are_public_keys)
# How long a verdict stays valid after it was given.
# What ends a verdict sooner is looked for 30 days ahead.
VERDICT_VALIDITY_HOURS = env.int("VERDICT_VALIDITY_HOURS", 24, validate=validate.Range(min=1, max=720))
# How often a process asks whether a new release was published. 0: only when it starts.
CORPUS_POLL_SECONDS = env.float("CORPUS_POLL_SECONDS", 0.5, validate=validate.Range(min=0))
# The host names that requests may ask for.
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
# The address under which readers find this service, without a final slash: pages, the manifest and the
# sitemaps name it.
SITE_URL = env.str(
    "SITE_URL",
    "http://127.0.0.1:8000",
    validate=validate.Regexp(r"^https?://[^/?#\s]+\Z", error="Must be such as https://example.com."),
)
# Whether the pages that rules rest on are visited, and the feeds of recalls read, by the clock of the jobs.
# Not set: where anybody from outside is served. `manage.py watch` and `manage.py feeds` do it by hand.
watch_sources = env.bool("WATCH_SOURCES", None)
# The key by which search engines know that it is this site that announces changed pages (IndexNow), and where
# they are told. Without a key nothing is announced.
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
# What the outside world is told of who fetches its pages. The first word up to its slash is the name by which
# a robots.txt may address us. Not set: this service, and where SITE_URL tells about it.
fetch_user_agent = env.str(
    "FETCH_USER_AGENT",
    "",
    validate=validate.Regexp(
        r"^([A-Za-z_-]+(/[^\s]+)?( [\x20-\x7e]*)?)?\Z", error="Must begin with a name such as Example/1.0."
    ),
)
# How long one page may take, and how large it may get; PDF files may be four times as large.
FETCH_SECONDS = env.float("FETCH_SECONDS", 30, validate=validate.Range(min=1, max=300))
FETCH_MAX_BYTES = env.int("FETCH_MAX_BYTES", 5 * 1024 * 1024, validate=validate.Range(min=1024))
# Between two requests to one host.
FETCH_HOST_PAUSE_SECONDS = env.float("FETCH_HOST_PAUSE_SECONDS", 5, validate=validate.Range(min=0, max=300))
# Networks such as 127.0.1.0/24 that tests fetch from, although they are not public. Refused where anybody
# from outside is served.
FETCH_TEST_NETWORKS: list[str] = env.list("FETCH_TEST_NETWORKS", [], validate=are_networks)
# The official feeds of recall notices. That of Safety Gate is the folder of its weekly reports.
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
# The partner key that `manage.py mcp` asks with. Not set: it asks as anybody on this machine.
MCP_KEY = env.str("MCP_KEY", "")
# For how many seconds a process recognizes partner keys without asking the database again; so long a revoked
# one may still count. 0: ask for every request with a key.
PARTNER_KEYS_TTL_SECONDS = env.float("PARTNER_KEYS_TTL_SECONDS", 5, validate=validate.Range(min=0))
# For how many seconds a key that was live goes on to count while the database is away.
PARTNER_KEYS_OUTAGE_SECONDS = env.float("PARTNER_KEYS_OUTAGE_SECONDS", 3600, validate=validate.Range(min=0))
# How many requests anybody may send from one address in so many seconds, minutes, hours or days, such as 60/m
# or 100/10s.
ANONYMOUS_RATE = env.str(
    "ANONYMOUS_RATE",
    "60/m",
    validate=validate.Regexp(
        r"^[1-9]\d{0,8}/([1-9]\d{0,3})?[smhd]\Z", error="Must be a rate such as 60/m or 100/10s."
    ),
)
# The same for what the checker asks: answers, trips and suggestions while somebody types.
PAGES_RATE = env.str(
    "PAGES_RATE",
    "240/m",
    validate=validate.Regexp(
        r"^[1-9]\d{0,8}/([1-9]\d{0,3})?[smhd]\Z", error="Must be a rate such as 240/m or 100/10s."
    ),
)
# The same for the sandbox, where partners ask no more often than anybody.
SANDBOX_RATE = env.str(
    "SANDBOX_RATE",
    "240/m",
    validate=validate.Regexp(
        r"^[1-9]\d{0,8}/([1-9]\d{0,3})?[smhd]\Z", error="Must be a rate such as 240/m or 100/10s."
    ),
)
# How many watches of trips anybody may make from one address.
WATCH_RATE = env.str(
    "WATCH_RATE",
    "20/d",
    validate=validate.Regexp(
        r"^[1-9]\d{0,8}/([1-9]\d{0,3})?[smhd]\Z", error="Must be a rate such as 20/d or 100/10s."
    ),
)
# How many bytes of ready pages a web process holds. 0: none.
WARM_PAGES_BYTES = env.int("WARM_PAGES_BYTES", 16 * 1024 * 1024, validate=validate.Range(min=0))
# How many proxies stand between the clients and us, each of which adds to X-Forwarded-For whom it was called
# by. 0: none, so the header is not believed.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0, validate=validate.Range(min=0, max=9))
# For how many seconds browsers come over TLS alone once they have been here (HSTS), whether that counts for
# all hosts below ours too, and whether browsers may bring it along, which nobody takes back soon.
HSTS_SECONDS = env.int("HSTS_SECONDS", 365 * 24 * 60 * 60, validate=validate.Range(min=0))
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", True)
SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", False)
# Where the admin is, as in /admin/: a word, or several with slashes between them.
ADMIN_PATH = env.str(
    "ADMIN_PATH",
    "admin",
    validate=validate.Regexp(
        r"^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*)*\Z", error="Must be such as admin or desk/7k2m."
    ),
)
# Where somebody tells of a weakness, such as mailto:security@example.com. Not set: there is no
# /.well-known/security.txt.
SECURITY_CONTACT = env.str(
    "SECURITY_CONTACT",
    "",
    validate=validate.Regexp(
        r"^((mailto:|tel:|https://)[^\s]+)?\Z", error="Must begin with https://, mailto: or tel:."
    ),
)
# Whether everybody in the admin needs a second factor; where that is off, only those who have one are asked.
# Not set: on, except where nobody from outside can sign in.
second_factor = env.bool("DESK_SECOND_FACTOR", None)
# When somebody who signed in to the admin has to do so again: after so long without use, and in any case.
DESK_IDLE_MINUTES = env.int("DESK_IDLE_MINUTES", 30, validate=validate.Range(min=5))
DESK_SESSION_HOURS = env.int("DESK_SESSION_HOURS", 12, validate=validate.Range(min=1))
# What the header of the desk calls this copy of the service.
environment_name = env.str("DESK_ENVIRONMENT", "")
# Where each process writes down the verdicts that it gives before they leave, until the database holds them.
# A folder of this machine. Not set: `spool` in DATA_DIR.
spool_dir = env.str("VERDICT_SPOOL_DIR", "")
# How large that folder may get while the database or Redis is away, and what happens to a verdict that cannot
# be written down: `answer` gives it all the same, and says loudly that its record is lost; `refuse` does not.
VERDICT_SPOOL_MAX_BYTES = env.int(
    "VERDICT_SPOOL_MAX_BYTES", 256 * 1024 * 1024, validate=validate.Range(min=64 * 1024)
)
VERDICT_LOG_FULL = env.str("VERDICT_LOG_FULL", "answer", validate=validate.OneOf(["answer", "refuse"]))
# For how many days the record of a verdict is kept.
VERDICT_LOG_DAYS = env.int("VERDICT_LOG_DAYS", 400, validate=validate.Range(min=1))
# How often a process sends on what it wrote down. 0: never, another process does it.
VERDICT_SHIP_SECONDS = env.float("VERDICT_SHIP_SECONDS", 1, validate=validate.Range(min=0))
# From INFO on there is a line for each request.
LOG_LEVEL = env.str("LOG_LEVEL", "INFO", validate=validate.OneOf(["DEBUG", "INFO", "WARNING", "ERROR"]))
# Not set: JSON where anybody from outside is served, text for people otherwise.
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
# Without it the cache is in process, and so is the running of tasks.
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
                "With DATABASE_URL, SECRET_KEY and VERDICT_KEY are needed as well. "
                "`make run` and `manage.py` provide all three where DATABASE_URL is not set.",
            ]
        )
    ) from error

VERDICT_SPOOL_DIR = Path(spool_dir) if spool_dir else data_dir() / "spool"
# Each answer looks its keys up by these.
RECEIPT_KEYS = tuple(receipt_keys)
RECEIPT_RETIRED_KEYS = tuple(receipt_retired_keys)

# Host names beyond this machine are served with TLS, by a proxy in front, or not at all.
hosts_beyond = sorted({*ALLOWED_HOSTS} - {"localhost", "127.0.0.1", "[::1]"})
IS_PUBLIC = bool(hosts_beyond)
if IS_PUBLIC:
    wrong = production_checks.problems(
        production_checks.Start(
            keys={"SECRET_KEY": SECRET_KEY, "VERDICT_KEY": VERDICT_KEY},
            receipt_keys=RECEIPT_KEYS,
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
                [f"This is not safe to be served to others (ALLOWED_HOSTS: {hosts_beyond[0]}):", *lines]
            )
        )

# --- Applications and requests ----------------------------------------------------------------------------

INSTALLED_APPS = [
    # Before the admin, whose templates it replaces.
    "unfold",
    # Filters that search as somebody types.
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    # Large numbers as people read them.
    "django.contrib.humanize",
    "django_otp.plugins.otp_totp",
    "axes",
    "corsheaders",
    # Assets of the page that shows the contract.
    "drf_spectacular_sidecar",
    "rest_framework",
    "pgtrigger",
    "pghistory",
    "catalog",
    "recalls",
    "rules",
    "aeo",
    "compliance.signin",
    "compliance",
]

# No sessions, sign-in, CSRF or compression on the way to an API view: they cost more than a verdict does.
# Those of the admin let everything else pass by, and the shortcut leads past all of them.
MIDDLEWARE = [
    # Outermost of all: no answer leaves without what browsers are told of it.
    "compliance.middleware.response_headers.ResponseHeaders",
    # Further out than errors are shaped, so that pages of other sites can read these as well.
    "compliance.middleware.cross_origin.CrossOrigin",
    "compliance.middleware.request_envelope.RequestEnvelope",
    "compliance.middleware.probes.Probes",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.common.CommonMiddleware",
    # From here to its end requests to the API pass by.
    "compliance.middleware.fast_path.Shortcut",
    # Before any other work on a page.
    "compliance.middleware.page_cache.WarmPages",
    "compliance.middleware.pages.PageCompression",
    "compliance.middleware.pages.PageHeaders",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "compliance.middleware.admin.AdminHeaders",
    "compliance.middleware.admin.AdminSessions",
    "aeo.web.language_middleware.PageLanguage",
    "compliance.middleware.pages.PageLimits",
    "compliance.middleware.pages.PageVerdicts",
    "compliance.middleware.admin.AdminCsrf",
    "compliance.middleware.admin.AdminAuthentication",
    "compliance.middleware.admin.AdminBodies",
    "compliance.middleware.admin.AdminHistory",
    "compliance.middleware.admin.AdminMessages",
    "compliance.middleware.admin.AdminSecondFactor",
    "compliance.middleware.admin.AdminFraming",
    "compliance.middleware.fast_path.ShortcutEnd",
]

if OTEL_EXPORTER_OTLP_ENDPOINT:
    MIDDLEWARE.insert(0, "compliance.operations.tracing.RequestSpans")

ROOT_URLCONF = "compliance.urls"
WSGI_APPLICATION = "compliance.wsgi.application"
# The specification's addresses have no final slash.
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# --- TLS --------------------------------------------------------------------------------------------------

if TRUSTED_PROXIES:
    # The outermost proxy says by which scheme it was called, and writes over what a client said of it.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = IS_PUBLIC
# Who asks on this machine or from a balancer whether the service is well comes without TLS.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = HSTS_SECONDS if IS_PUBLIC else 0

# --- What a request may hold ------------------------------------------------------------------------------

# Bytes of a body without its files, and of a file that is kept in memory while it is read. Files themselves
# are bounded by who takes them (`catalog.bulk.files`).
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
# A long form of the admin, such as that of a device with all its sources, has a few hundred fields.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
# No form has more than one.
DATA_UPLOAD_MAX_NUMBER_FILES = 1
FILE_UPLOAD_PERMISSIONS = 0o600

# --- The public pages -------------------------------------------------------------------------------------

# Everything from here, nothing that stands in a page, and no page inside a page of somebody else.
PAGES_CONTENT_SECURITY_POLICY = {
    "default-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    "img-src": [SELF],
    "connect-src": [SELF],
    "form-action": [SELF],
    "manifest-src": [SELF],
    "worker-src": [SELF],
    "base-uri": [NONE],
    "frame-ancestors": [NONE],
}

# A frame in the page of a partner: less still, and whose pages may show it follows from the key
# (`compliance.channels.embed.frames`).
EMBED_CONTENT_SECURITY_POLICY = {
    "default-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    "connect-src": [SELF],
    "form-action": [SELF],
    "base-uri": [NONE],
    "frame-ancestors": [NONE],
}

# --- The admin --------------------------------------------------------------------------------------------

# Names that browsers take from this very host alone, and over TLS alone (RFC 6265bis, section 4.1.3).
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = (
    ("__Host-sessionid", "__Host-csrftoken") if IS_PUBLIC else ("sessionid", "csrftoken")
)
# On this machine alone, where `make run` serves without TLS, browsers must send the cookies back as well.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_PUBLIC
# No script of a page reads it: forms and htmx send the token that stands in the page.
CSRF_COOKIE_HTTPONLY = True
# The proxy speaks plain HTTP to us, and Django would take the browser's https for another site.
# `.example.com`, with all that is below it, is spelled `*.example.com` here.
CSRF_TRUSTED_ORIGINS = [f"https://{'*' if host.startswith('.') else ''}{host}" for host in hosts_beyond]
SESSION_ENGINE = "compliance.signin.session_store"
# Since the last use. The store ends a session earlier once DESK_SESSION_HOURS are over.
SESSION_COOKIE_AGE = DESK_IDLE_MINUTES * 60

# Locked accounts are refused before a password is looked at.
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
# For one name from one address: whoever guesses locks themselves out, not the owner of the name.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = datetime.timedelta(minutes=15)
# Trying while locked does not make it longer, so what the page says stays true.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "compliance.signin.lockout.client_address"
# Who signed in from where is not kept.
AXES_DISABLE_ACCESS_LOG = True
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "csrfmiddlewaretoken"]
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False
# The sign-in view answers who is locked out; nothing has to look at every request for it.
SILENCED_SYSTEM_CHECKS = [
    "axes.W002",
    # `AdminCsrf` and `AdminFraming` are those middlewares, for the admin; nothing else takes a cookie for an
    # identity and writes, and `ResponseHeaders` keeps every page out of frames.
    "security.W002",
    "security.W003",
    # HSTS_PRELOAD is for the owner of the domain to decide, as it binds for years.
    "security.W021",
]

# Where somebody who signed in goes who came from nowhere else.
LOGIN_REDIRECT_URL = "admin:index"

WATCH_SOURCES = IS_PUBLIC if watch_sources is None else watch_sources
DESK_ENVIRONMENT = environment_name or ("production" if IS_PUBLIC else "this machine")
DESK_SECOND_FACTOR = bool(hosts_beyond or TRUSTED_PROXIES) if second_factor is None else second_factor
FETCH_USER_AGENT = fetch_user_agent or f"BatteryTravelCompliance/1.0 (+{SITE_URL}/about)"
# By this name the account stands in the app that shows the codes.
OTP_TOTP_ISSUER = "Battery travel compliance"
# A code counts one step (30 seconds) early or late, and never more: the clocks of apps are not followed.
OTP_TOTP_SYNC = False

# Everything from here, and nothing of a page inside a page of somebody else.
ADMIN_CONTENT_SECURITY_POLICY = {
    "default-src": [SELF],
    # The theme's scripts compile the expressions that stand in its templates.
    "script-src": [SELF, UNSAFE_EVAL],
    # Of styles in a page, that with the theme's colors; and what its scripts write into attributes.
    "style-src": [SELF, "'sha256-CftXQ/6rIQ3AMOrJUsQzoK+KGLgk4scJJlfXyvE/1mQ='"],
    "style-src-attr": [UNSAFE_INLINE],
    "object-src": [NONE],
    "base-uri": [NONE],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
}
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

UNFOLD = {
    "SITE_TITLE": "Battery travel compliance",
    "SITE_HEADER": "Battery travel compliance",
    "SITE_SUBHEADER": "Editors and partners",
    "SITE_SYMBOL": "battery_charging_full",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("desk_icon.svg")}
    ],
    "DASHBOARD_CALLBACK": "compliance.desk.first_page.fill",
    "ENVIRONMENT": "compliance.desk.first_page.header",
    "SIDEBAR": {"navigation": "compliance.desk.first_page.navigation"},
    # There is no page at the root to go back to.
    "SITE_URL": None,
    "SCRIPTS": [lambda request: static("admin_htmx.js"), lambda request: static("admin_labels.js")],
    "STYLES": [lambda request: static("catalog/desk.css")],
    "LOGIN": {"form": "compliance.signin.forms.SignInForm"},
    "ACCOUNT": {
        "navigation": [
            {"title": "Change password", "link": reverse_lazy("admin:password_change")},
            {"title": "Second factor", "link": reverse_lazy("signin:second-factor")},
        ]
    },
}

STATIC_URL = "static/"
# WhiteNoise reads the files where they lie, so nothing has to be collected.
WHITENOISE_USE_FINDERS = True
WHITENOISE_ADD_HEADERS_FUNCTION = keep_for_good
WHITENOISE_AUTOREFRESH = DEBUG

# Who calls, limits, errors and negotiation are those of `compliance.api.protocol.views`; DRF describes the
# views.
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_SCHEMA_CLASS": "compliance.api.contract.generator.OperationSchema",
}

# The frame of the contract. Its version is that of the contract: a field or an address that goes away or
# means something else is a new major version, what is added a new minor one.
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.1",
    "TITLE": "Battery travel compliance",
    "VERSION": "1.0.0",
    "DESCRIPTION": """\
May this power bank travel on this flight? Cited verdicts that a machine can read, for an exact catalog \
model, a route with its stops, an airline, cabin or hold.

**Boundary.** Answers are informational and cited. They are not legal advice, not a certification and no \
guarantee that airport, airline or security staff accept a power bank.

**Fail closed.** Treat as allowed only the verdict `allowed` before its `expires_at`. Never `conditional`, \
`banned`, `insufficient`, any error, a time-out, or an answer that is past its `expires_at`.

**One release.** Every answer names the `ruleset_version` that it was made from. Verdicts and lists read the \
same release, so they cannot disagree.

**Errors** are `application/problem+json` (RFC 9457). Programs decide by `code`; `detail` is for people.

**Keys** are optional. A partner key sets limits, allowed origins, support terms and how deep two lists go; \
it never changes a verdict.

**Sandbox.** Below `/sandbox` the same operations, save receipts, policy changes and watches, answer \
from made-up models and airlines with every verdict, error and fault. `GET /sandbox/api/outcomes` lists them.

**New fields** may appear in answers at any time: ignore those that you do not know. Unknown fields in \
requests are refused. Every GET answers HEAD too, and every address OPTIONS.
""",
    "SERVERS": [
        {"url": "/", "description": "The server that this contract was read from."},
        {
            "url": "/sandbox",
            "description": "The sandbox: made-up models and airlines that give every outcome, nothing real.",
        },
    ],
    "TAGS": [
        {"name": "Verdicts", "description": "May it travel?"},
        {"name": "Devices", "description": "Exact catalog models and their facts."},
        {"name": "Recalls", "description": "Recalls of exact models, never of a brand."},
        {"name": "Airlines", "description": "Airlines' policies, and how they change."},
        {"name": "Rules and evidence", "description": "What verdicts are made from."},
    ],
    "SCHEMA_PATH_PREFIX": "/api",
    "SORT_OPERATIONS": False,
    "POSTPROCESSING_HOOKS": [],
}

# Any site's pages may ask. A preflight does not hold the key, so a partner's origins are checked with the
# request.
CORS_ALLOW_ALL_ORIGINS = True
CORS_URLS_REGEX = r"^/(api/|sandbox/|openapi\.yaml$|\.well-known/jwks\.json$)"
CORS_ALLOW_METHODS = ["GET", "HEAD", "POST", "OPTIONS"]
CORS_ALLOW_HEADERS = ["content-type", "x-service-key", "authorization", "if-none-match", "x-request-id"]
CORS_EXPOSE_HEADERS = [
    # Clients compare the clock of the service with their own.
    "Date",
    "ETag",
    "Link",
    "Retry-After",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "RateLimit-Policy",
    "X-Request-ID",
    "X-Sandbox",
    "X-Service-Receipt",
]
CORS_PREFLIGHT_MAX_AGE = 24 * 60 * 60

# --- Database ---------------------------------------------------------------------------------------------

DATABASES: dict[str, dict[str, Any]] = {"default": database}
options = DATABASES["default"].setdefault("OPTIONS", {})
# PostgreSQL compiles what it expects to be long. Here that takes longer than what it saves.
options.setdefault("options", "-c jit=off")
if pooled:
    # Opened by the first query, so always after a fork. The timeout is in seconds: nobody waits for a dead
    # server, and there is a connection for each thread.
    options["pool"] = {"min_size": 1, "max_size": web_threads, "timeout": 2}
    options |= {"connect_timeout": 2, "keepalives_idle": 3, "keepalives_interval": 1, "keepalives_count": 3}
    # One that broke while it lay in the pool is not given to anybody.
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Cache and jobs ---------------------------------------------------------------------------------------

if REDIS_URL:
    CACHES: dict[str, dict[str, Any]] = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "compliance",
            "OPTIONS": {
                # Seconds. By default a silent server is waited for, and asked again and again.
                "socket_timeout": 0.2,
                "socket_connect_timeout": 0.2,
                "retry": Retry(NoBackoff(), 0),
            },
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# What the limits count with. It goes on without Redis.
CACHES["limits"] = {"BACKEND": "compliance.limits.cache.LimitsCache", "LOCATION": REDIS_URL}
RATELIMIT_USE_CACHE = "limits"
RATELIMIT_CACHE_PREFIX = "compliance:limits:"
# Keyed: all addresses of IPv4 could be tried against a plain hash.
RATELIMIT_HASH_ALGORITHM = functools.partial(
    hashlib.blake2b, key=hashlib.sha256(SECRET_KEY.encode()).digest(), digest_size=16
)

CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# However long Redis is away, workers and beat wait for it.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Seconds. A job whose worker was killed is given to another one then: no sooner than a job may take, and
    # than the longest wait before a job is tried again (10 minutes, both of them).
    "visibility_timeout": 900,
    # By default a server that vanished without a word is waited for without end.
    "socket_connect_timeout": 3,
    "socket_keepalive": True,
}
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL
# Jobs write down what they did in the database; nobody waits for a result.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
# A job whose worker dies is given to another one, and no worker hoards jobs. So every job can run twice.
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Seconds: first an exception that the job can answer, then the end of the process.
CELERY_TASK_SOFT_TIME_LIMIT = 540
CELERY_TASK_TIME_LIMIT = 600
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    # Seconds. It asks the database one question where nothing is due.
    "carry out planned publishings": {"task": "rules.tasks.carry_out_plans", "schedule": 10.0},
    "verify the ledger every night": {
        "task": "rules.tasks.verify_ledger",
        "schedule": crontab(hour=3, minute=0),
    },
    # A worker that died took its job along.
    "go on with measurements": {
        "task": "rules.tasks.take_up_measurements",
        "schedule": crontab(),
    },
    # Where there is no queue, it has no more to do than to take up what killed processes left. A job that
    # nobody takes up in time is for the next one.
    "bring verdicts into their log": {
        "task": "compliance.tasks.drain_verdicts",
        "schedule": 2.0 if REDIS_URL else 10.0,
        "options": {"expires": 10},
    },
    "forget old verdicts every night": {
        "task": "compliance.tasks.forget_verdicts_of_old",
        "schedule": crontab(hour=4, minute=30),
    },
    # Once a day, soon after it begins. It reads the records of a month.
    "count what is asked about": {
        "task": "compliance.tasks.count_asked_flights",
        "schedule": crontab(minute=10),
    },
    "forget old measurements every night": {
        "task": "rules.tasks.forget_measurements",
        "schedule": crontab(hour=3, minute=30),
    },
    "forget chunks that nobody collects every night": {
        "task": "compliance.batch.tasks.forget_chunks",
        "schedule": crontab(hour=3, minute=45),
    },
    "forget old visits every night": {
        "task": "rules.tasks.forget_visits",
        "schedule": crontab(hour=4, minute=0),
    },
    # After a release and when a day begins, as pages are.
    "judge watched trips again": {
        "task": "compliance.trip_watch.tasks.catch_up",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "forget watches that are over": {
        "task": "compliance.trip_watch.tasks.forget_watches",
        "schedule": crontab(minute=20),
    },
    "tell webhooks": {
        "task": "compliance.webhooks.tasks.deliver",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "forget old deliveries every night": {
        "task": "compliance.webhooks.tasks.forget_deliveries",
        "schedule": crontab(hour=4, minute=45),
    },
    # After a release, a choice of pages, or a day: rules start and end with days.
    "bring pages and datasets in line": {"task": "aeo.tasks.catch_up", "schedule": 10.0},
}
if WATCH_SOURCES and REDIS_URL:
    # Without a queue these would keep all other jobs waiting for minutes: `manage.py watch run` and
    # `manage.py feeds sync` run beside them.
    CELERY_BEAT_SCHEDULE |= {
        "visit the pages that are due": {
            "task": "rules.tasks.watch_sources",
            "schedule": crontab(minute="*/5"),
        },
        **{
            f"read the recalls of {feed} every night": {
                "task": "recalls.tasks.sync_feed",
                "args": [feed],
                "schedule": crontab(hour=hour, minute=minute),
            }
            # Apart from each other and off the full hour, when everybody asks.
            for feed, hour, minute in (
                ("cpsc", 4, 12),
                ("health_canada", 4, 37),
                ("safety_gate", 5, 8),
                ("accc", 5, 43),
            )
        },
    }

# --- Languages and time -----------------------------------------------------------------------------------

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"
# In each of them everything is said: verdicts, pages and guides. Each by its own name.
LANGUAGES = [
    ("en", "English"),
    ("zh-hans", "简体中文"),
    ("zh-hant", "繁體中文"),
    ("ja", "日本語"),
    ("ko", "한국어"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("es", "Español"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]

# --- Logging ----------------------------------------------------------------------------------------------

LOG_FORMAT = log_format or format_for(ALLOWED_HOSTS)
# To standard error, one line for each event. What a request holds is in none (`compliance.operations.logs`).
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"private": {"()": "compliance.operations.logs.Private"}},
    "formatters": {
        "json": {"()": "compliance.operations.logs.JsonLines"},
        "text": {"()": "compliance.operations.logs.TextLines"},
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["private"]},
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        # Django gives these two handlers of their own.
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        "django.server": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        # Some job is due every two seconds. The line about its end tells all.
        "celery.beat": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        # What a message of an agent did is in the line about its request. Warnings quote what was sent.
        "mcp": {"level": "ERROR"},
    },
}
if SENTRY_DSN:
    LOGGING["handlers"]["reports"] = {
        "class": "compliance.operations.error_reports.Reports",
        "dsn": SENTRY_DSN,
        "environment": DESK_ENVIRONMENT,
        "filters": ["private"],
    }
    LOGGING["root"]["handlers"].append("reports")
