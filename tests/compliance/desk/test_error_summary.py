"""A form that is refused names each field that has to be corrected, and leads to it."""

import re

import pytest
from msgspec.structs import replace

from catalog.devices.actions import record_devices
from catalog.models import Device
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_user
from tests.support.world import build_world

pytestmark = pytest.mark.usefixtures("fresh_desk")

LINK = re.compile(r'<li><a class="underline" href="#([^"]*)">([^<]*)</a></li>')


@pytest.mark.django_db
@pytest.mark.parametrize(
    "form",
    [
        "rules/rule",
        "recalls/recall",
        "rules/disagreement",
        "rules/announcement",
        "catalog/device",
        "catalog/airline",
        "catalog/source",
        "catalog/brand",
        "catalog/airportfact",
        "compliance/partner",
    ],
)
def test_each_error_names_its_field_and_leads_to_it(form: str) -> None:
    build_world(by=a_user("author"))
    visitor = Visitor(superuser=True)

    page = visitor.post(f"/admin/{form}/add/").content.decode()

    errors = LINK.findall(page)
    assert errors
    for target, said in errors:
        assert re.fullmatch(r"[A-Z][^:]*: .+", said, re.S), said
        assert f'id="{target}"' in page, said


@pytest.mark.django_db
def test_a_step_without_its_reason_leads_to_the_reason() -> None:
    build_world(by=a_user("author"))
    visitor = Visitor(superuser=True)
    twice = replace(Device.objects.get(pk="lynx-10k").to_record(), model_id="lynx-10k-again")
    record_devices(by=a_user("author"), devices=[twice])
    page = visitor.post("/admin/catalog/device/merge/?keep=lynx-10k&gone=lynx-10k-again").content.decode()
    assert [target for target, _ in LINK.findall(page)] == ["id_reason"]
