"""Many rows of one kind in one table: shown before and after, undone row by row, written all or none."""

import html
import re
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from catalog.devices.actions import change_device
from catalog.models import AuditEntry, ChangeSet, Device
from catalog.screens import grid
from checks.hostile.forms import Form
from rules.editing import actions
from rules.models import Rule
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_rule, a_user
from tests.support.world import APPROVER

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

RULES, MODELS = "/admin/rules/rule/", "/admin/catalog/device/"
NAMES = ("n1.two-units", "n1.cabin-up-to-100wh")


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


def key(name: str) -> int:
    return int(Rule.objects.identified([name]).get().pk)


def opened(visitor: Visitor, path: str, *keys: Any) -> dict[str, Any]:
    """Return what the grid of rows would send without changes."""
    query = "&".join(f"row={one}" for one in keys)
    return fields_of(visitor.get(f"{path}grid/?{query}"))


def fields_of(page: HttpResponse) -> dict[str, Any]:
    text = page.content.decode()
    start = text.index('id="grid"')
    form = text[text.rindex("<form", 0, start) : text.index("</form>", start)]
    return {name: values for name, values in Form(form + "</form>").fields.items()}


def send(visitor: Visitor, path: str, fields: dict[str, Any], **more: Any) -> HttpResponse:
    dropped = {name: value for name, value in fields.items() if name not in ("show", "undo", "save")}
    return visitor.post(f"{path}grid/", **dropped | more)


def text_of(page: HttpResponse) -> str:
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split()))


def agreed(page: HttpResponse) -> str:
    found = re.search(r'name="save" value="(\w+)"', page.content.decode())
    assert found is not None
    return found[1]


def two_rules() -> list[str]:
    by = a_user()
    names = ["n1.first", "n1.second"]
    actions.draft_rules(by=by, rules=[a_rule(rule_id=name) for name in names])
    actions.submit_rules(by=by, rule_ids=names)
    actions.approve_rules(by=a_user(APPROVER), rule_ids=names)
    return names


def test_rows_are_chosen_on_the_list_and_each_becomes_a_draft_of_its_own(editor: Visitor) -> None:
    names = two_rules()
    keys = [key(name) for name in names]
    chosen = editor.post(RULES, action="edit_in_grid", _selected_action=keys, index="0")
    assert chosen["Location"] == f"{RULES}grid/?row={keys[0]}&row={keys[1]}"

    fields = opened(editor, RULES, *keys)
    fields |= {f"cell-{one}-effective_from": "2027-03-01" for one in keys} | {"reason": "A new edition."}
    shown = send(editor, RULES, fields, show="")
    said = text_of(shown)
    assert said.count("→ 2027-03-01") == 2
    assert said.count("opens revision 2") >= 2
    assert not Rule.objects.filter(state="draft").exists()

    done = send(editor, RULES, fields, save=agreed(shown))
    assert done["Location"] == f"{RULES}?desk=drafts"
    drafts = Rule.objects.filter(state="draft", revision=2, created_by=editor.user)
    assert {row.rule_id: str(row.effective_from) for row in drafts} == dict.fromkeys(names, "2027-03-01")
    reasons = AuditEntry.objects.filter(subject__in=names, verb="revise").values_list("reason", flat=True)
    assert set(reasons) == {"A new edition."}


def test_one_row_or_all_are_undone_before_anything_is_written(editor: Visitor) -> None:
    first, second = (key(name) for name in two_rules())
    fields = opened(editor, RULES, first, second) | {"reason": "So <it> is."}
    for one in (first, second):
        fields[f"cell-{one}-effective_from"] = "2027-03-01"

    undone = send(editor, RULES, fields, undo=str(first))
    assert fields_of(undone)[f"cell-{first}-effective_from"] == [""]
    assert fields_of(undone)[f"cell-{second}-effective_from"] == ["2027-03-01"]
    assert "So &lt;it&gt; is." in undone.content.decode()

    everything = send(editor, RULES, fields, undo="all")
    assert fields_of(everything)[f"cell-{second}-effective_from"] == [""]
    assert not Rule.objects.filter(state="draft").exists()


def test_models_become_one_change_set(editor: Visitor) -> None:
    fields = opened(editor, MODELS, "lynx-27k", "puma-30k") | {"reason": "The labels were read."}
    fields |= {"cell-lynx-27k-watt_hour": "99.00", "cell-puma-30k-release_year": "2024"}
    shown = send(editor, MODELS, fields, show="")
    assert "Energy, Wh: 99.90 → 99.00" in text_of(shown)
    assert "All of it becomes one change set" in text_of(shown)

    send(editor, MODELS, fields, save=agreed(shown))
    waiting = ChangeSet.objects.get()
    assert (waiting.state, waiting.reason) == ("waiting", "The labels were read.")
    assert set(waiting.changes.values_list("record_id", flat=True)) == {"lynx-27k", "puma-30k"}
    assert Device.objects.get(pk="lynx-27k").watt_hour == Decimal("99.90")


def test_one_wrong_cell_stops_all_and_nothing_typed_is_lost(editor: Visitor) -> None:
    first, second = (key(name) for name in two_rules())
    fields = opened(editor, RULES, first, second) | {"reason": "Why."}
    fields |= {f"cell-{first}-effective_from": "2027-03-01", f"cell-{second}-effective_from": "soon"}
    shown = send(editor, RULES, fields, show="")
    assert "`effective_from` is a date such as 2026-11-20, not `soon`" in text_of(shown)
    assert 'name="save"' not in shown.content.decode()
    assert fields_of(shown)[f"cell-{second}-effective_from"] == ["soon"]

    refused = send(editor, RULES, fields, save="0" * 64)
    assert refused.status_code == 409
    assert not Rule.objects.filter(state="draft").exists()


def test_nothing_but_what_was_shown_is_written(editor: Visitor) -> None:
    first, second = (key(name) for name in two_rules())
    fields = opened(editor, RULES, first, second) | {"reason": "Why."}
    fields[f"cell-{first}-effective_from"] = "2027-03-01"
    shown = send(editor, RULES, fields, show="")

    other = send(editor, RULES, fields | {f"cell-{second}-effective_from": "2027-03-01"}, save=agreed(shown))
    assert "this is not what was shown" in text_of(other)
    other = send(editor, RULES, fields | {"reason": "Another reason."}, save=agreed(shown))
    assert other.status_code == 409
    assert not Rule.objects.filter(state="draft").exists()


def test_a_record_that_changed_since_the_grid_was_opened_must_be_read_again(editor: Visitor) -> None:
    device = Device.objects.get(pk="lynx-27k").to_record()
    fields = opened(editor, MODELS, "lynx-27k") | {"cell-lynx-27k-watt_hour": "99.00"}
    shown = send(editor, MODELS, fields, show="")

    change_device(by=a_user(), device=replace(device, release_year=2020))
    refused = send(editor, MODELS, fields, save=agreed(shown))
    assert refused.status_code == 409
    assert "It has changed since you opened the grid. Undo this row" in text_of(refused)

    again = fields_of(send(editor, MODELS, fields, undo="lynx-27k"))
    assert again["cell-lynx-27k-release_year"] == ["2020"]
    assert (
        'name="save"'
        in send(editor, MODELS, again | {"cell-lynx-27k-watt_hour": "99.00"}, show="").content.decode()
    )


def test_only_the_fields_of_a_rule_are_in_its_row_and_others_cannot_be_forged(editor: Visitor) -> None:
    first, units = key(two_rules()[0]), key("n1.two-units")
    fields = opened(editor, RULES, first, units)
    assert fields[f"cell-{units}-params.max_units"] == ["2"]
    assert f"cell-{first}-params.max_units" not in fields
    assert f"cell-{units}-when.watt_hour_up_to" not in fields

    forged = {
        f"cell-{first}-params.max_units": "9",
        f"cell-{first}-summary": "Forged.",
        f"cell-{first}-rule_id": "n1.other",
        "cell-999999-effective_from": "2027-03-01",
    }
    shown = send(editor, RULES, fields | forged | {"reason": "Why."}, show="")
    assert "No cell differs from what is recorded." in text_of(shown)


def test_each_cell_says_its_column_for_a_phone_that_shows_no_head_of_the_table(editor: Visitor) -> None:
    page = editor.page("/admin/catalog/device/grid/?row=lynx-10k")
    head = re.findall(r'<th scope="col">([^<]+)</th>', page.partition("</thead>")[0])[1:]
    assert len(head) > 3
    assert re.findall(r'<td data-label="([^"]+):">', page) == head


@pytest.mark.parametrize("rows", [["999999"], ["²"], ["x"], []])
def test_rows_that_do_not_exist_lead_back_to_the_list(editor: Visitor, rows: list[str]) -> None:
    assert editor.post(f"{RULES}grid/", row=rows, show="")["Location"] == RULES
    assert not Rule.objects.filter(state="draft").exists()


def test_more_rows_than_a_grid_shows_are_refused(editor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [key(name) for name in two_rules()]
    monkeypatch.setattr(grid, "MOST_ROWS", 1)
    editor.post(RULES, action="edit_in_grid", _selected_action=keys, index="0")
    assert "A grid has up to 1 rows" in editor.page(RULES)
    assert editor.get(f"{RULES}grid/?row={keys[0]}&row={keys[1]}").status_code == 400


def test_what_waits_for_review_is_shown_and_cannot_be_typed_in(editor: Visitor) -> None:
    names = two_rules()
    actions.revise_rules(by=a_user(), rule_ids=names[:1], reason="News.")
    draft = Rule.objects.get(pk=key(names[0])).to_record()
    actions.change_rule(by=a_user(), rule=replace(draft, summary="Other words."))
    actions.submit_rules(by=a_user(), rule_ids=names[:1])
    page = editor.get(f"{RULES}grid/?row={key(names[0])}")
    assert "revision 2 is in review" in text_of(page)
    assert f"cell-{key(names[0])}-effective_from" not in fields_of(page)
    forged = fields_of(page) | {f"cell-{key(names[0])}-effective_from": "2027-03-01", "reason": "Why."}
    assert 'name="save"' not in send(editor, RULES, forged, show="").content.decode()


def test_rules_need_a_reason_and_the_cells_stay(editor: Visitor) -> None:
    first = key(two_rules()[0])
    fields = opened(editor, RULES, first) | {f"cell-{first}-effective_from": "2027-03-01"}
    refused = send(editor, RULES, fields, show="")
    assert "Say why" in text_of(refused)
    assert fields_of(refused)[f"cell-{first}-effective_from"] == ["2027-03-01"]


def test_a_reviewer_has_no_grid(editor: Visitor) -> None:
    reviewer = member("Reviewer")
    assert reviewer.get(f"{RULES}grid/?row={key('n1.two-units')}").status_code == 403
    assert "edit_in_grid" not in reviewer.page(RULES)
    assert "edit_in_grid" in editor.page(MODELS)


def test_a_grid_costs_as_many_queries_for_many_rows_as_for_one(editor: Visitor) -> None:
    names = [f"n1.many-{number}" for number in range(30)]
    actions.draft_rules(by=a_user(), rules=[a_rule(rule_id=name) for name in names])
    keys = [key(name) for name in names]

    def queries(*rows: int) -> int:
        query = "&".join(f"row={one}" for one in rows)
        with CaptureQueriesContext(connection) as asked:
            editor.page(f"{RULES}grid/?{query}")
        return len(asked)

    queries(keys[0])
    assert queries(*keys) == queries(keys[0]) <= 20
