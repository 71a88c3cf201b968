"""Middleware that says in each answer how often it asked the database, and what that took."""

import time
from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest, HttpResponseBase

QUERIES, CPU_MS, SQL_MS = "X-Queries", "X-Cpu-Ms", "X-Sql-Ms"


def counted(answer: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Count the statements of a request, those of transactions and the session included.

    What a file asks while it is sent comes after its headers, and is not counted.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        connection.force_debug_cursor = True
        connection.queries_log.clear()
        began = time.thread_time()
        response = answer(request)
        response[CPU_MS] = f"{(time.thread_time() - began) * 1000:.0f}"
        response[QUERIES] = str(len(connection.queries_log))
        response[SQL_MS] = f"{sum(float(one['time']) for one in connection.queries_log) * 1000:.0f}"
        return response

    return middleware
