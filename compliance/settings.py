"""Settings, from environment variables.

Required: DATABASE_URL, SECRET_KEY, VERDICT_KEY. `make run`, `manage.py` and the tests provide them, so on a
developer's machine nothing needs to be set. All wrong variables are reported at once.
"""

from pathlib import Path
from typing import Any, cast

from celery.schedules import crontab
from django.core.exceptions import ImproperlyConfigured
from environs import Env, EnvValidationError, validate
from redis.backoff import NoBackoff
from redis.retry import Retry

BASE_DIR = Path(__file__).resolve().parent.parent

# --- The environment --------------------------------------------------------------------------------------

# Not eager: what is missing or wrong is collected until `seal`, and is None until then.
env = Env(eager=False)
not_empty = validate.Length(min=1, error="Must not be empty.")

# Never on in production: error pages would show settings and requests.
DEBUG = env.bool("DEBUG", False)
# Signs what Django signs.
SECRET_KEY = env.str("SECRET_KEY", validate=not_empty)
# The HMAC key of verdict ids. A new key makes earlier ids unverifiable.
VERDICT_KEY = env.str("VERDICT_KEY", validate=not_empty)
# How long a verdict stays valid after it was given.
VERDICT_VALIDITY_HOURS = env.int("VERDICT_VALIDITY_HOURS", 24, validate=validate.Range(min=1))
# How often a process asks whether a new release was published. 0: only when it starts.
CORPUS_POLL_SECONDS = env.float("CORPUS_POLL_SECONDS", 0.5, validate=validate.Range(min=0))
# The host names that requests may ask for.
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
LOG_LEVEL = env.str("LOG_LEVEL", "INFO", validate=validate.OneOf(["DEBUG", "INFO", "WARNING", "ERROR"]))

database = env.dj_db_url("DATABASE_URL", engine="django.db.backends.postgresql")
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

# --- Applications and requests ----------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.staticfiles",
    "rest_framework",
    "catalog",
    "recalls",
    "rules",
    "aeo",
    "compliance",
]

# No sessions, sign-in, CSRF or compression on the way to an API view: they cost more than a verdict does.
MIDDLEWARE = [
    "compliance.middleware.RequestEnvelope",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.common.CommonMiddleware",
]

ROOT_URLCONF = "compliance.urls"
WSGI_APPLICATION = "compliance.wsgi.application"
# The specification's addresses have no final slash.
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]

STATIC_URL = "static/"
# WhiteNoise reads the files where they lie, so nothing has to be collected.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "EXCEPTION_HANDLER": "compliance.api.errors.exception_handler",
    # `?format=` means nothing here.
    "URL_FORMAT_OVERRIDE": None,
}

# --- Database ---------------------------------------------------------------------------------------------

DATABASES: dict[str, dict[str, Any]] = {"default": database}
if pooled:
    # Opened by the first query, so always after a fork. The timeout is in seconds.
    DATABASES["default"]["OPTIONS"] = database.get("OPTIONS", {}) | {
        "pool": {"min_size": 1, "max_size": web_threads, "timeout": 5}
    }
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

CELERY_BROKER_URL = REDIS_URL or None
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
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
    "verify the ledger every night": {
        "task": "rules.tasks.verify_ledger",
        "schedule": crontab(hour=3, minute=0),
    },
}

# --- Languages and time -----------------------------------------------------------------------------------

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]

# --- Logging ----------------------------------------------------------------------------------------------

# To standard error. Neither bodies nor query strings: they can carry a serial number.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"no_query_strings": {"()": "compliance.services.logs.NoQueryStrings"}},
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["no_query_strings"]},
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        # Django gives these two handlers of their own.
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        "django.server": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
    },
}
