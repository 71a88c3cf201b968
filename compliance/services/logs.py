"""Keeps query strings out of the logs: they can carry the serial number of somebody's device."""

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
