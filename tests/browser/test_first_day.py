"""The guide for a new editor, walked in its order: each of its steps is a step here, and a test of the desk.

With `PICTURES=FOLDER` it also writes the pictures of the guide (`make pictures`).
"""

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.support.desk.signing_in import PASSWORD, App

from .accounts import NEWCOMER
from .barriers import barriers
from .conftest import Visit
from .moves import (
    RECALLS,
    RULES,
    choose,
    fill_in_one_unit,
    follow,
    go_to,
    press,
    publish,
    roll_back,
    says,
)
from .pictures import FOLDER, GUIDE, HEIGHT, WIDTH, named, take

HEADINGS = re.findall(r"^## \d+\. (.+)$", GUIDE.read_text(), re.MULTILINE)
FIRST_DAY, LATER_DAYS = GUIDE.read_text().split("\n# The days after\n")

RULE = "qr.one-per-person"
MOST_BYTES = 1_500_000


@dataclass
class Day:
    """Who is at the desk on that day, and the pictures that were made of it."""

    editor: Page
    reviewer: Page
    publisher: Page
    second_publisher: Page
    folder: Path | None
    files: Path
    made: list[str] = field(default_factory=list)

    def picture(self, name: str, page: Page) -> None:
        """Make a picture of what a page shows, once nothing on it is waited for."""
        self.made.append(name)
        take(self.folder, name, page)


STEPS: dict[str, Callable[[Day], None]] = {}


def step(heading: str) -> Callable[[Callable[[Day], None]], None]:
    """Make a function the step of the guide under a heading."""
    return lambda walk: STEPS.update({heading: walk})


@step("Sign in")
def _(day: Day) -> None:
    page = day.editor
    page.goto("/admin/")
    page.get_by_label("Username").fill(NEWCOMER)
    page.get_by_label("Password").fill(PASSWORD)
    day.picture("sign-in", page)
    press(page, "Log in")
    secret = page.locator("#secret").inner_text().replace("-", "")
    app = App(base64.b32decode(secret).hex())
    page.get_by_label("Code that the app shows").fill(app.code())
    press(page, "Confirm")
    expect(page.locator("#recovery-codes li")).to_have_count(10)
    follow(page, "I have saved them")
    expect(page).to_have_title(re.compile("Editor desk"))


@step("Look at your desk")
def _(day: Day) -> None:
    page = day.editor
    says(page, "Nothing waits for you.")
    says(page, "Sources")
    day.picture("desk", page)


@step("Read a rule")
def _(day: Day) -> None:
    page = day.editor
    go_to(page, RULES)
    page.locator("#searchbar").fill("qatar")
    with page.expect_navigation():
        page.locator("#searchbar").press("Enter")
    expect(page.locator("#result_list")).to_contain_text("qr.carry-on-up-to-100wh")
    day.picture("rules", page)
    follow(page, "qr.carry-on-up-to-100wh")
    says(page, "Published")
    says(page, "Qatar Airways accepts power banks up to 100 Wh in the cabin.")
    expect(page.get_by_role("link", name="open the page").first).to_have_attribute(
        "href", re.compile("^http")
    )
    day.picture("rule", page)


@step("Draft a rule")
def _(day: Day) -> None:
    page = day.editor
    go_to(page, RULES, f"{RULES}add/")
    fill_in_one_unit(page, rule_id=RULE, summary="One power bank per passenger.")
    page.get_by_label("Rule id").scroll_into_view_if_needed()
    day.picture("draft", page)


@step("Watch the sentence")
def _(day: Day) -> None:
    page, sentence = day.editor, day.editor.locator("#rule-reading")
    page.locator("#id_max_units").fill("3")
    expect(sentence).to_contain_text("limits each passenger to 3 power banks")
    page.locator("#id_max_units").fill("1")
    expect(sentence).to_contain_text("limits each passenger to 1 power bank in a cabin bag")
    expect(sentence).to_contain_text("At most 1 power bank per passenger.")


@step("Try it")
def _(day: Day) -> None:
    page = day.editor
    choose(page.locator("#id_try-model"), "a1289", "A1289")
    choose(page.locator("#id_try-origin"), "qatar", "Qatar")
    choose(page.locator("#id_try-destination"), "united king", "United Kingdom")
    choose(page.locator("#id_try-airline"), "qatar", "Qatar Airways")
    page.locator("#id_try-quantity").fill("2")
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#rule-trial .rule-verdict")).to_have_text(["allowed", "banned"])
    day.picture("try", page)


@step("Submit it")
def _(day: Day) -> None:
    page = day.editor
    press(page, "Save")
    says(page, "drafted by nora")
    press(page, "Submit for review")
    says(page, f"{RULE} waits for review.")
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
    day.picture("submitted", page)


@step("Correct what is returned")
def _(day: Day) -> None:
    reviewer, page = day.reviewer, day.editor
    reviewer.goto("/admin/")
    follow(reviewer, "Rules to review")
    follow(reviewer, RULE)
    follow(reviewer, "Return …")
    reviewer.get_by_label("Reason").fill("Say in the summary whose rule it is.")
    press(reviewer, "Return")

    page.goto("/admin/")
    says(page, "ravi returned it: Say in the summary whose rule it is.")
    day.picture("returned", page)
    follow(page, RULE)
    page.get_by_label("Summary").fill("Qatar Airways takes one power bank per passenger.")
    press(page, "Save")
    press(page, "Submit for review")
    says(page, f"{RULE} waits for review.")


@step("Review the work of others")
def _(day: Day) -> None:
    page = day.reviewer
    page.goto("/admin/")
    follow(page, "Rules to review")
    follow(page, RULE)
    says(page, "qr-official-restricted-baggage")
    day.picture("review", page)
    press(page, "Approve")
    says(page, f"{RULE} is approved.")
    follow(page, "History")
    says(page, "returned by ravi")
    says(page, "approved by ravi")


@step("Look at the findings")
def _(day: Day) -> None:
    page = day.reviewer
    page.goto("/admin/")
    follow(page, "Findings")
    page.get_by_label("State").select_option(label="All")
    page.get_by_label("Kind", exact=True).select_option(label="Gap")
    press(page, "Show")
    says(page, "No rule permits or prohibits a power bank")
    says(page, "Accepted by starter-corpus-review")
    day.picture("findings", page)


@step("See what would change")
def _(day: Day) -> None:
    page = day.editor
    page.goto("/admin/")
    follow(page, "Pending changes")
    says(page, RULE)
    page.goto("/admin/rules/rule/?q=" + RULE)
    follow(page, RULE)
    press(page, "Measure the changes")
    expect(page.locator("#main")).to_contain_text("answers would change")
    says(page, "None of them would be less strict.")
    day.picture("impact", page)


@step("Publish")
def _(day: Day) -> None:
    page = day.publisher

    def before_confirming() -> None:
        says(page, "None of them would be less strict.")
        assert barriers(page) == []
        day.picture("publish", page)

    publish(page, "Qatar Airways takes one power bank per passenger.", before_confirming)
    says(page, "is published.")


@step("Roll back")
def _(day: Day) -> None:
    page = day.second_publisher
    roll_back(
        day.publisher,
        page,
        reason="The page was misread.",
        before_confirming=lambda: day.picture("roll-back", page),
    )
    day.editor.goto("/admin/rules/rule/?q=" + RULE)
    expect(day.editor.locator("#result_list")).to_contain_text("Withdrawal: published", ignore_case=True)


@step("Draft a recall with samples")
def _(day: Day) -> None:
    page = day.editor
    go_to(page, RECALLS, f"{RECALLS}add/")
    choose(page.locator("#id_device"), "a1289", "A1289")
    page.get_by_label("Who recalls").fill("Anker")
    page.get_by_label("Country or region").fill("INTL")
    page.get_by_label("Title").fill("Anker recalls one batch of A1289")
    page.get_by_label("Recall id").fill("intl-anker-example-a1289")
    page.get_by_label("Announced on").fill("2026-11-20")
    page.get_by_label("That date is").select_option(index=1)
    page.get_by_label("Address of the notice").fill("https://www.anker.com/product-recalls")
    page.get_by_label("Which units").select_option("serial_pattern")
    page.get_by_label("What to read on the unit").fill("serial")
    page.get_by_label("Pattern of affected units").fill("AB12[0-9]{6}")
    for kind, sample in (("affected", "AB12000417"), ("unaffected", "AB13000417")):
        rows = page.locator(f".field-{kind}_samples")
        rows.get_by_role("button", name="Add").click()
        rows.locator("[data-rows-list] input").last.fill(sample)
    panel = page.locator("#recall-test")
    expect(panel).to_contain_text("AB12000417")
    expect(panel).to_contain_text("AB13000417")
    expect(panel).not_to_contain_text("Wrong.")
    page.get_by_label("Serial, batch or date code").fill("ab12 000 999")
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#recall-trial")).to_contain_text("affected")
    page.locator("#id_pattern").scroll_into_view_if_needed()
    day.picture("recall", page)
    page.get_by_label("Hazard").fill("The cells can overheat.")
    page.get_by_label("Remedy").fill("Stop using it and ask the maker for a refund.")
    page.locator(".field-evidence").get_by_role("button", name="Add a source").click()
    choose(page.locator(".field-evidence [data-rows-list] select"), "anker", "anker")
    press(page, "Save")
    says(page, "drafted by nora")


@step("Try an import")
def _(day: Day) -> None:
    page = day.editor
    page.goto("/admin/rules/rule/?q=qr.carry-on-only")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export CSV").click()
    exported = download.value.path().read_text(encoding="utf-8-sig")
    changed = day.files / "rules.csv"
    changed.write_text(exported.replace("does not take power banks in", "takes no power bank in"))
    follow(page, "Import")
    page.locator("input[type=file]").set_input_files(changed)
    page.get_by_label("Reason").fill("Shorter.")
    press(page, "Preview the import")
    says(page, "1 changed")
    says(page, "Nothing is written yet.")
    day.picture("import", page)
    page.goto("/admin/rules/rule/?q=qr.carry-on-only")
    expect(page.locator("#result_list")).not_to_contain_text("draft", ignore_case=True)


def test_each_step_of_the_guide_is_walked_in_its_order() -> None:
    assert list(STEPS) == HEADINGS


def test_a_new_editor_gets_through_the_first_day_as_the_guide_says(
    visit: Visit, pictures: Path | None, tmp_path: Path
) -> None:
    newcomer, reviewer, publisher, second = (
        visit(name, width=WIDTH, height=HEIGHT) for name in (None, "ravi", "paula", "pavel")
    )
    day = Day(newcomer, reviewer, publisher, second, pictures, tmp_path)
    for heading in HEADINGS:
        STEPS[heading](day)
    assert day.made == named(FIRST_DAY)


def test_each_picture_of_the_guide_is_there_small_and_made_by_a_test() -> None:
    there = {path.stem: path.stat().st_size for path in FOLDER.glob("*.png")}
    later = named(LATER_DAYS)
    assert set(there) == {*named(FIRST_DAY), *later}
    assert GUIDE.read_text().count("<img ") == len(there)
    assert sum(there.values()) < MOST_BYTES
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    assert [name for name in later if f'picture("{name}", ' not in tests] == []
