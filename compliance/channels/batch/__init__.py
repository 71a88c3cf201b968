"""Bulk verification: a file of questions in, a file of answers out, row by row (`manage.py verify-batch`).

Each row is answered as POST /api/verify answers that body. A run answers from one release and as of one
instant, both fixed when it begins, so it makes the same bytes whether it is interrupted or not, and whoever
works it off: this process, or Celery workers on any number of machines.

`rows` reads, `answering` answers one row. `sharing` hands chunks of rows to workers, and `worker` answers a
chunk. `checkpoint` keeps what is done so far, `finishing` writes the output file, `running` puts these
together.
"""
