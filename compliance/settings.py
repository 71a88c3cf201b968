"""Settings of Django and its apps.

`compliance.environment` has the values that the environment may change.
"""

import datetime
import functools
import hashlib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.templatetags.static import static
from django.urls import reverse_lazy
from redis.backoff import NoBackoff
from redis.retry import Retry

from compliance.api.contract import prose

# Each environment variable is a setting of the same name.
from compliance.environment import *  # noqa: F403
from compliance.environment import (
    DEBUG,
    DESK_ENVIRONMENT,
    DESK_IDLE_MINUTES,
    HSTS_SECONDS,
    IS_PUBLIC,
    LOG_FORMAT,
    LOG_LEVEL,
    MAIL_FROM,
    OTEL_EXPORTER_OTLP_ENDPOINT,
    REDIS_URL,
    SECRET_KEY,
    SENTRY_DSN,
    SITE_URL,
    TRUSTED_PROXIES,
    database,
    hosts_beyond,
    mail,
    pooled,
    web_threads,
)
from compliance.middleware.static_headers import keep_for_good

BASE_DIR = Path(__file__).resolve().parent.parent

# --- Applications and requests ----------------------------------------------------------------------------

INSTALLED_APPS = [
    # Before the admin, whose templates it replaces.
    "unfold",
    # Filters that search during typing.
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    # Large numbers in readable form.
    "django.contrib.humanize",
    "django_otp.plugins.otp_totp",
    "django_otp_webauthn",
    "axes",
    "corsheaders",
    # Files of the page that shows the contract.
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
# Those of the admin ignore all other requests, and the shortcut skips all of them.
MIDDLEWARE = [
    # The outermost: every answer leaves with the headers for browsers.
    "compliance.middleware.response_headers.ResponseHeaders",
    # Outside the forming of errors, so that pages of other sites can read these as well.
    "compliance.middleware.response_headers.CrossOrigin",
    "compliance.middleware.request_envelope.RequestEnvelope",
    "compliance.middleware.request_envelope.Probes",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.common.CommonMiddleware",
    "compliance.middleware.compression.Compression",
    # From here to its end, requests to the API skip everything.
    "compliance.middleware.fast_path.Shortcut",
    # Before any other work on a page, cached or not.
    "compliance.middleware.reading.ReadingLimits",
    "compliance.middleware.reading.PlainAddresses",
    "compliance.middleware.page_cache.WarmPages",
    "compliance.middleware.pages.PageHeaders",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "compliance.middleware.admin.AdminHeaders",
    "compliance.middleware.admin.AdminSessions",
    "aeo.web.language_middleware.PageLanguage",
    "compliance.middleware.pages.PageLimits",
    "compliance.middleware.other_sites.OtherSites",
    "compliance.middleware.pages.PageVerdicts",
    "compliance.middleware.admin.AdminCsrf",
    "compliance.middleware.admin.AdminAuthentication",
    "compliance.middleware.admin.AdminBodies",
    "compliance.middleware.admin.AdminText",
    "compliance.middleware.admin.AdminHistory",
    "compliance.middleware.admin.AdminMessages",
    "compliance.middleware.admin.AdminSecondFactor",
    "compliance.middleware.admin.AdminKept",
    "compliance.middleware.admin.AdminLists",
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
            ],
            "builtins": ["compliance.templatetags.sender"],
        },
    }
]

# --- TLS --------------------------------------------------------------------------------------------------

if TRUSTED_PROXIES:
    # The outermost proxy says by which scheme it was called, and overwrites the client's value.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = IS_PUBLIC
# Health probes on this machine or from a balancer come without TLS.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = HSTS_SECONDS if IS_PUBLIC else 0

# --- Limits of a request ----------------------------------------------------------------------------------

# Bytes of a body without its files, and of a file that is kept in memory while it is read. The code that
# takes files limits their size (`catalog.bulk.files`).
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
# A long form of the admin, such as that of a device with all its sources, has a few hundred fields. The page
# that publishes has one for each change that waits.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
# No form has more than one.
DATA_UPLOAD_MAX_NUMBER_FILES = 1
FILE_UPLOAD_PERMISSIONS = 0o600

# --- The public pages -------------------------------------------------------------------------------------

# Everything only from here, no inline scripts or styles, and no frames on pages of other sites.
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

# A frame in a partner's page: even less is allowed, and the key decides whose pages may show it
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

# Browsers accept these names only from this very host, and only over TLS (RFC 6265bis, section 4.1.3).
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = (
    ("__Host-sessionid", "__Host-csrftoken") if IS_PUBLIC else ("sessionid", "csrftoken")
)
# On this machine, where `make run` serves without TLS, browsers must send the cookies back as well.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_PUBLIC
# No script reads it: forms and htmx send the token in the page.
CSRF_COOKIE_HTTPONLY = True
# The proxy speaks plain HTTP to us, and Django would take the browser's https for another site.
# `.example.com`, with all its subdomains, is written `*.example.com` here.
CSRF_TRUSTED_ORIGINS = [f"https://{'*' if host.startswith('.') else ''}{host}" for host in hosts_beyond]
SESSION_ENGINE = "compliance.signin.session_store"
# Since the last use. The store ends a session earlier, when DESK_SESSION_HOURS are over.
SESSION_COOKIE_AGE = DESK_IDLE_MINUTES * 60

# Locked accounts are refused before a password is checked.
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "compliance.signin.rights.People",
]
# For one name from one address: an attacker locks themselves out, not the owner of the name.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = datetime.timedelta(minutes=15)
# A try while locked does not make the lock longer, so the time on the page stays true.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "compliance.signin.lockout.client_address"
# Successful sign-ins and their addresses are not stored.
AXES_DISABLE_ACCESS_LOG = True
# A log names no one who signs in, and no path: that of an invitation has its secret.
AXES_CLIENT_STR_CALLABLE = "compliance.signin.lockout.named_in_logs"
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "csrfmiddlewaretoken"]
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False
# The sign-in view answers locked users; no middleware has to check every request for it.
SILENCED_SYSTEM_CHECKS = [
    "axes.W002",
    # `AdminCsrf` and `AdminFraming` are those middlewares, for the admin. Nothing else writes on the
    # authority of a cookie, and `ResponseHeaders` keeps every page out of frames.
    "security.W002",
    "security.W003",
    # HSTS_PRELOAD is for the owner of the domain to decide, as it binds for years.
    "security.W021",
]

# The page after signing in, for users who came from no other page.
LOGIN_REDIRECT_URL = "admin:index"

# The name of the account in the app that shows the codes.
OTP_TOTP_ISSUER = "Battery travel compliance"
# A code is valid one step (30 seconds) early or late, and never more: the clocks of apps are not followed.
OTP_TOTP_SYNC = False

# Passkeys belong to the host of the public address. Browsers know none for IP addresses, so on this machine
# they work at localhost alone.
passkey_host = urlsplit(SITE_URL).hostname or "localhost"
OTP_WEBAUTHN_RP_ID = passkey_host if IS_PUBLIC else "localhost"
OTP_WEBAUTHN_RP_NAME = OTP_TOTP_ISSUER
OTP_WEBAUTHN_ALLOWED_ORIGINS = [SITE_URL if IS_PUBLIC else "http://localhost"]
OTP_WEBAUTHN_HELPER_CLASS = "compliance.signin.passkeys.ceremony.Ceremony"
# The password comes first.
OTP_WEBAUTHN_ALLOW_PASSWORDLESS_LOGIN = False
# What browsers send is not logged.
OTP_WEBAUTHN_EXCEPTION_LOGGER_NAME = ""

# Everything only from here, and no frames on pages of other sites.
ADMIN_CONTENT_SECURITY_POLICY = {
    "default-src": [SELF],
    # The theme's scripts compile the expressions in its templates.
    "script-src": [SELF, UNSAFE_EVAL],
    # Inline styles: the style with the theme's colors, and those that its scripts write into attributes.
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
    {"NAME": "compliance.signin.rights.NoPasswordForPrograms"},
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
    "SCRIPTS": [
        lambda request: static("admin_htmx.js"),
        lambda request: static("admin_labels.js"),
        lambda request: static("desk_keys.js"),
        lambda request: static("desk_session.js"),
        lambda request: static("desk_unsaved.js"),
    ],
    "STYLES": [lambda request: static("catalog/desk.css")],
    "LOGIN": {"form": "compliance.signin.forms.SignInForm"},
    "ACCOUNT": {
        "navigation": [
            {"title": "Change password", "link": reverse_lazy("admin:password_change")},
            {"title": "Second factor", "link": reverse_lazy("signin:second-factor")},
            {"title": "Where you are signed in", "link": reverse_lazy("signin:sessions")},
            {"title": "Keyboard shortcuts", "link": "#keyboard"},
        ]
    },
}

CSRF_FAILURE_VIEW = "compliance.signin.kept.csrf_failure"

STATIC_URL = "static/"
# WhiteNoise reads the files from their source folders, so nothing has to be collected.
WHITENOISE_USE_FINDERS = True
WHITENOISE_ADD_HEADERS_FUNCTION = keep_for_good
WHITENOISE_AUTOREFRESH = DEBUG

# Django REST framework describes the views and dispatches none (decision 17): callers, limits, errors and
# negotiation are those of `compliance.api.protocol.views`.
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_SCHEMA_CLASS": "compliance.api.contract.generator.OperationSchema",
}

# The frame of the contract. Its version is that of the contract: removing or redefining a field or an address
# makes a new major version, an addition makes a new minor one.
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.1",
    "TITLE": "Battery travel compliance",
    "VERSION": "1.0.0",
    "DESCRIPTION": prose.DESCRIPTION,
    "SERVERS": prose.SERVERS,
    "TAGS": prose.TAGS,
    "SCHEMA_PATH_PREFIX": "/api",
    "SORT_OPERATIONS": False,
    "POSTPROCESSING_HOOKS": [],
}

# Pages of any site may ask. A preflight does not contain the key, so a partner's origins are checked with the
# request.
CORS_ALLOW_ALL_ORIGINS = True
# Documents that are the same for everyone: the manifest, its schema and preview, datasets, feeds, llms.txt.
CROSS_ORIGIN_DOCUMENTS = r"^/(aeo-[a-z.]+\.json$|datasets(/|$)|feeds/|llms\.txt$)"
CORS_URLS_REGEX = (
    r"^/(api/|sandbox/|openapi\.yaml$|mcp/server(-card|\.json)$|\.well-known/(jwks|ai-catalog)\.json$)"
    rf"|{CROSS_ORIGIN_DOCUMENTS}"
)
CORS_ALLOW_METHODS = ["GET", "HEAD", "POST", "DELETE", "OPTIONS"]
CORS_ALLOW_HEADERS = [
    "content-type",
    "x-service-key",
    "authorization",
    "if-none-match",
    "x-request-id",
    "idempotency-key",
    "prefer",
    "accept-signature",
    "content-digest",
]
CORS_EXPOSE_HEADERS = [
    # Clients compare the clock of the service with their own.
    "Date",
    "ETag",
    "Link",
    "Repr-Digest",
    "Content-Range",
    "Retry-After",
    "RateLimit-Policy",
    "RateLimit",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "X-Request-ID",
    "X-Sandbox",
    "X-Service-Content-Hash",
    "X-Service-Schema-Hash",
    "X-Service-Receipt",
    "Preference-Applied",
    "Content-Digest",
    "Signature-Input",
    "Signature",
]
CORS_PREFLIGHT_MAX_AGE = 24 * 60 * 60

# --- Mail -------------------------------------------------------------------------------------------------

EMAIL_BACKEND, EMAIL_HOST, EMAIL_PORT = (mail[name] for name in ("EMAIL_BACKEND", "EMAIL_HOST", "EMAIL_PORT"))
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = mail["EMAIL_HOST_USER"], mail["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS, EMAIL_USE_SSL = mail["EMAIL_USE_TLS"], mail["EMAIL_USE_SSL"]
EMAIL_FILE_PATH = mail["EMAIL_FILE_PATH"]
# Seconds. A job waits no longer for a mail server.
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = MAIL_FROM

# --- Database ---------------------------------------------------------------------------------------------

DATABASES: dict[str, dict[str, Any]] = {"default": database}
options = DATABASES["default"].setdefault("OPTIONS", {})
# PostgreSQL compiles queries that it expects to be long. Here compiling takes longer than it saves.
options.setdefault("options", "-c jit=off")
if pooled:
    # Opened by the first query, so always after a fork. The timeout is in seconds: no request waits for a
    # dead server, and there is a connection for each thread.
    options["pool"] = {"min_size": 1, "max_size": web_threads, "timeout": 2}
    options |= {"connect_timeout": 2, "keepalives_idle": 3, "keepalives_interval": 1, "keepalives_count": 3}
    # A connection that broke in the pool is not given out.
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
                # Seconds. By default a client waits for a silent server, and retries again and again.
                "socket_timeout": 0.2,
                "socket_connect_timeout": 0.2,
                "retry": Retry(NoBackoff(), 0),
            },
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# The counters of the limits. They work without Redis.
CACHES["limits"] = {"BACKEND": "compliance.limits.cache.LimitsCache", "LOCATION": REDIS_URL}
# Its default. It looks for this at each request, and not finding a setting takes longer.
RATELIMIT_ENABLE = True
RATELIMIT_USE_CACHE = "limits"
RATELIMIT_CACHE_PREFIX = "compliance:limits:"
# Keyed: all addresses of IPv4 could be tried against a plain hash.
RATELIMIT_HASH_ALGORITHM = functools.partial(
    hashlib.blake2b, key=hashlib.sha256(SECRET_KEY.encode()).digest(), digest_size=16
)

CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Workers and beat wait for Redis, however long it is away.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Seconds. After that another worker gets a job whose worker was killed. So it must not be shorter than
    # the longest job, and than the longest wait before a job is tried again (both 10 minutes).
    "visibility_timeout": 900,
    # By default a client waits forever for a server that disappeared.
    "socket_connect_timeout": 3,
    "socket_keepalive": True,
}
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL
# Jobs record their results in the database; nothing waits for a return value.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
# If a worker dies, another one gets its job, and no worker reserves jobs in advance. So every job can run
# twice.
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Nobody waits for a proof, which takes minutes: all other jobs go first. In Redis, 9 is the last priority.
CELERY_TASK_ROUTES = {"rules.tasks.prove_release": {"priority": 9}}
# Seconds: first an exception that the job can answer, then the end of the process.
CELERY_TASK_SOFT_TIME_LIMIT = 540
CELERY_TASK_TIME_LIMIT = 600
CELERY_TIMEZONE = "UTC"

# --- Languages and time -----------------------------------------------------------------------------------

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"
# Everything is translated into each of them: verdicts, pages and guides. Each by its own name.
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
# English dates as the desk writes them.
FORMAT_MODULE_PATH = "catalog.dates"

# --- Logging ----------------------------------------------------------------------------------------------

# To standard error, one line for each event. No line contains a request's content
# (`compliance.operations.logs`).
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
        # Django gives these two their own handlers.
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        "django.server": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        # Some job is due every two seconds. The line about its end is enough.
        "celery.beat": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        # The line about the request has the result of an agent's message. Warnings quote what was sent.
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
