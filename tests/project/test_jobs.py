"""Each background job has a name of its own, and workers know all of them."""

import ast
from collections.abc import Iterator

from compliance.celery import app
from tests.support.import_graph import modules


def _jobs() -> Iterator[tuple[str, str | None]]:
    """Yield the functions that are jobs, as module and function, with the names that they are given."""
    for module, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                names = [_name(one) for one in node.decorator_list if "shared_task" in ast.unparse(one)]
                yield from ((f"{module}.{node.name}", name) for name in names)


def _name(decorator: ast.expr) -> str | None:
    keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
    return next((str(ast.literal_eval(one.value)) for one in keywords if one.arg == "name"), None)


def test_each_job_has_an_explicit_name_so_that_a_move_renames_nothing() -> None:
    jobs = dict(_jobs())
    assert len(jobs) > 20
    assert [job for job, name in jobs.items() if name is None] == []
    assert len(set(jobs.values())) == len(jobs)


def test_workers_find_every_job() -> None:
    app.loader.import_default_modules()
    assert {name for _, name in _jobs()} <= set(app.tasks)


def test_the_schedule_names_jobs_that_are_there() -> None:
    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert scheduled
    assert scheduled <= set(app.tasks)
