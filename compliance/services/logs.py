"""Keeps out of the logs what can carry a serial number: query strings and broken requests."""

import logging
import re

QUERY_STRING = re.compile(r"\?[^\s'\"]*")


class NoQueryStrings(logging.Filter):
    """Replaces every `?query=string` of a message by `?...`, and drops no record."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record in place."""
        message = record.getMessage()
        if "?" in message:
            record.msg, record.args = QUERY_STRING.sub("?...", message), ()
        return True


class NoBrokenRequests(logging.Filter):
    """Keeps to itself what gunicorn quotes of a request that is not HTTP: anything can stand in one."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record in place."""
        if record.getMessage().startswith("Invalid request from ip="):
            record.msg, record.args = "Refused a request that is not HTTP.", ()
        return True
