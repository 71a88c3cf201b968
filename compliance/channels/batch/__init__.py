"""Bulk verification: a file of questions in, a file of answers out, row by row (`manage.py verify-batch`).

Each row gets the answer that POST /api/verify, or POST /api/itineraries/verify, gives to that body. A run
answers from one release and at one instant, both fixed when it begins. So it makes the same bytes whether it
is interrupted or not, and whether this process or Celery workers on any number of machines do the work.

`rows` reads, `answering` answers one row. `sharing` gives chunks of rows to workers, and `worker` answers a
chunk. `checkpoint` keeps the progress, `finishing` writes the output file, `running` connects these.
"""
