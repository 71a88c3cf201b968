"""What an editor reads about a changed record: words, never the notation of a program."""

from catalog.tables.history import FieldChange
from rules.publishing.admin.shown_changes import shown_changes
from rules.releases.comparison import RecordChange


def test_quotes_and_lists_are_shown_in_words() -> None:
    quote = {"source": "northwing-page", "words": "Up to 100 Wh.", "where": ""}
    change = RecordChange(
        kind="rules",
        id="n1.quoted",
        change="changed",
        fields=(
            FieldChange("quotes", (), (quote,)),
            FieldChange("when.compartment", ("carry_on", "checked"), None),
        ),
    )
    [kind] = shown_changes([change])
    assert [tuple(field) for field in kind.records[0].fields] == [
        ("quotes", "nothing", "source: northwing-page; words: Up to 100 Wh.; where: nothing"),
        ("compartment", "carry_on, checked", "nothing"),
    ]
