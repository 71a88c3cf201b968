"""What jobs are made of."""

import pytest
from kombu.exceptions import ContentDisallowed
from kombu.serialization import loads, registry

from compliance.celery import app


def test_the_queue_takes_nothing_but_json() -> None:
    assert set(app.conf.accept_content) == {"json"}
    assert app.conf.task_serializer == "json"
    taken = {registry.name_to_type[name] for name in app.conf.accept_content}
    # A pickle runs code when it is read.
    with pytest.raises(ContentDisallowed):
        loads(b"cos\nsystem\n(S'true'\ntR.", "application/x-python-serialize", "binary", accept=taken)
