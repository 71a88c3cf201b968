"""Only verbs write: no module but `actions`, migrations and the seed changes a row of the database."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from compliance.services.embedded import REPOSITORY

APPS = ("aeo", "catalog", "compliance", "recalls", "rules")

ALWAYS_A_WRITE = {
    "save",
    "delete",
    "create",
    "create_user",
    "create_superuser",
    "get_or_create",
    "update_or_create",
    "bulk_create",
    "bulk_update",
}
"""Methods that write rows whatever they are called on; each has an asynchronous twin, as `asave`."""

MANAGERS = {"objects", "_default_manager", "_base_manager"}
QUERIES = {"all", "filter", "exclude", "order_by", "select_for_update", "get_queryset"}

SEED = REPOSITORY / "compliance" / "starter_corpus" / "seeding.py"


def may_write(path: Path) -> bool:
    """Tell whether a module may write: verbs, migrations, and the seed with its two users."""
    return path == SEED or path.name == "actions.py" or path.parent.name in {"actions", "migrations"}


def writes(source: str) -> Iterator[tuple[int, str]]:
    """Return line and text of each call that writes rows: by a model, a manager, a queryset or SQL."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_write(node, node.func):
            yield node.lineno, ast.unparse(node.func)


def _is_write(call: ast.Call, method: ast.Attribute) -> bool:
    name = method.attr
    # A model that refines `save` passes on what somebody else began.
    if ast.unparse(method.value) == "super()":
        return False
    # Nor is the cache a table, and what a session remembers for its person is no record.
    if ast.unparse(method.value) in {"cache", "request.session"}:
        return False
    # A picture is written to a file, and names the format; a row never does.
    if name == "save" and any(
        isinstance(given, ast.Constant) and given.value in {"PNG", "JPEG"} for given in call.args
    ):
        return False
    # `hashlib` and dictionaries have an `update` too, so what it is called on decides.
    if name in {"update", "aupdate"}:
        return _is_query(method.value)
    if name in {"execute", "executemany"}:
        return bool(call.args) and _is_writing_sql(call.args[0])
    return name in ALWAYS_A_WRITE or name.removeprefix("a") in ALWAYS_A_WRITE


def _is_query(node: ast.expr) -> bool:
    return any(
        (isinstance(part, ast.Attribute) and part.attr in MANAGERS | QUERIES)
        or (isinstance(part, ast.Name) and part.id in {"queryset", "rows"})
        for part in ast.walk(node)
    )


def _is_writing_sql(node: ast.expr) -> bool:
    words = node.value.split() if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
    return bool(words) and words[0].upper() in {"INSERT", "UPDATE", "DELETE", "TRUNCATE", "MERGE", "COPY"}


def test_nothing_but_actions_writes_rows() -> None:
    modules = [path for app in APPS for path in (REPOSITORY / app).rglob("*.py")]
    assert any(may_write(path) for path in modules)
    offenders = [
        f"{path.relative_to(REPOSITORY)}:{line}: {text}"
        for path in modules
        if not may_write(path)
        for line, text in writes(path.read_text())
    ]
    assert offenders == []


@pytest.mark.parametrize(
    "line",
    [
        "row.save()",
        "row.save(using='PNG')",
        "await row.asave()",
        "Rule.objects.create(rule_id='x')",
        "Rule.objects.filter(pk='x').update(code=None)",
        "Rule.objects.all().delete()",
        "queryset.update(state='approved')",
        "type(row)._default_manager.bulk_create([row])",
        "cursor.execute('update rules_rule set code = null')",
    ],
)
def test_it_sees_this_write(line: str) -> None:
    source = f"async def write():\n    {line}"
    assert [number for number, _ in writes(source)] == [2]


@pytest.mark.parametrize(
    "line",
    [
        "digest.update(b'x')",
        "settings.update(debug=False)",
        "Rule.objects.filter(pk='x').first()",
        "cursor.execute('SELECT 1')",
        "cursor.execute(statement)",
        "super().save(force_insert=True)",
        "cache.delete(KEY)",
        "picture.save(out, 'PNG')",
    ],
)
def test_it_leaves_this_line_alone(line: str) -> None:
    assert list(writes(line)) == []
