"""What the pages of recalls cost: the same number of queries, however much there is."""

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from catalog.sources.actions import record_sources
from recalls.editing import actions
from recalls.models import Recall
from tests.recalls.editing.test_screens import BY_SERIAL
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_recall, a_source, a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


RECALLS = "/admin/recalls/recall/"
MANY = 150
FEW, CROWDED = "few-of-all", "many-of-all"


@pytest.fixture
def editor(db: None) -> Visitor:
    author = a_user()
    visitor = Visitor()
    visitor.user.groups.set(Group.objects.filter(name="Editor"))
    ids = tuple(f"many-{number}" for number in range(100))
    record_sources(by=author, sources=[a_source(id=source_id) for source_id in ids])
    units = replace(
        a_recall().affected_serials,
        affected_samples=tuple(f"LX-{number:04}" for number in range(100)),
        values=tuple(f"LX-{number:04}" for number in range(1000, 1100)),
    )
    crowded = a_recall(recall_id=CROWDED, affected_serials=units, sources=ids)
    actions.draft_recalls(by=author, recalls=[a_recall(recall_id=FEW), crowded])
    return visitor


def more_recalls() -> None:
    """Add many recalls of the same model and of another one of its brand, half of them with two revisions."""
    author, other = a_user(), a_user("other")
    names = [f"more-{number}" for number in range(MANY)]
    recalls = [
        a_recall(recall_id=name, model_id="lynx-27k" if number % 3 else "lynx-10k")
        for number, name in enumerate(names)
    ]
    actions.draft_recalls(by=author, recalls=recalls)
    half = names[::2]
    actions.submit_recalls(by=author, recall_ids=half)
    actions.approve_recalls(by=other, recall_ids=half)
    actions.revise_recalls(by=author, recall_ids=half, reason="More.")


def cost_of_list(visitor: Visitor, query: str = "") -> int:
    with CaptureQueriesContext(connection) as queries:
        visitor.page(f"{RECALLS}{query}")
    return len(queries)


def cost_of_form(visitor: Visitor, recall_id: str) -> int:
    row = Recall.objects.get(recall_id=recall_id)
    with CaptureQueriesContext(connection) as queries:
        visitor.page(f"{RECALLS}{row.pk}/change/")
    return len(queries)


def cost_of_test(visitor: Visitor) -> int:
    visitor.token()
    typed = {"csrfmiddlewaretoken": visitor.token(), "fragment": "1", **BY_SERIAL}
    with CaptureQueriesContext(connection) as queries:
        assert visitor.client.post(f"{RECALLS}test/", typed).status_code == 200
    return len(queries)


def test_neither_list_nor_form_nor_panel_costs_more_where_there_is_more(editor: Visitor) -> None:
    # The first page of a process looks up what the next ones know.
    cost_of_form(editor, FEW)
    few = [cost_of_list(editor, "?state=every"), cost_of_form(editor, FEW), cost_of_test(editor)]
    crowded_form = cost_of_form(editor, CROWDED)
    more_recalls()
    many = [cost_of_list(editor, "?state=every"), cost_of_form(editor, FEW), cost_of_test(editor)]

    # One more query finds the page of a list that has several.
    assert many == [few[0] + 1, *few[1:]]
    assert crowded_form == few[1]
    # One of them is for the searches that the person saved.
    assert many[0] <= 14
    assert many[1] <= 20
    assert many[2] <= 13, many
