"""The servers that the project starts itself: PostgreSQL for `make run`, PostgreSQL and Redis for the tests.

Standard library only, and no Django: these modules run before settings exist. (Only `web` imports gunicorn.)
Linux only: they read process data from /proc.

    embedded.join()       gives a process the database and keys kept in DATA_DIR
    run                   `make run`: prepare the database, then serve
    throwaway.services()  a PostgreSQL and a Redis that end with the process that asked for them
"""


class ServiceError(Exception):
    """A server cannot be found, started or used.

    The message is a calm sentence for the person who runs it.
    """
