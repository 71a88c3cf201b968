"""The servers that the project brings along: PostgreSQL for `make run`, PostgreSQL and Redis for the tests.

Standard library only, and no Django: these modules run before settings exist. (`web` alone imports
gunicorn.) Linux only: they ask /proc who is who.

    embedded.join()       gives a process the database and keys kept in DATA_DIR
    run                   `make run`: prepare the database, then serve
    throwaway.services()  a PostgreSQL and a Redis that vanish with the process that asked for them
"""


class ServiceError(Exception):
    """A server cannot be found, started or used. The message is a calm sentence for whoever runs it."""
