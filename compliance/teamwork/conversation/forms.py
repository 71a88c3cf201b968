"""The forms of a conversation: what a person says, and who does it until when."""

from typing import Any

from django import forms
from unfold.widgets import BASE_INPUT_CLASSES, UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from compliance.teamwork import topics
from compliance.teamwork.conversation.models import MOST_OF_A_COMMENT, Assignment

IDS = "conversation-%s"
"""The ids of the inputs: a page of a record has a form of its own."""


class CommentForm(forms.Form):
    """What a person says."""

    text = forms.CharField(
        label="Comment",
        widget=UnfoldAdminTextareaWidget({"rows": 3, "maxlength": MOST_OF_A_COMMENT}),
        help_text="Plain text. @name tells a person of the desk. It stays as written; you can remove it.",
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id=IDS)


class AssignForm(forms.Form):
    """Who does it, and until when."""

    assignee: Any = forms.ModelChoiceField(
        queryset=None, required=False, empty_label="No one", widget=UnfoldAdminSelectWidget
    )
    due = forms.DateField(
        required=False,
        label="Due",
        widget=forms.DateInput({"type": "date", "class": " ".join(BASE_INPUT_CLASSES)}, format="%Y-%m-%d"),
        help_text="A day, such as 2027-03-01, or nothing.",
    )

    def __init__(self, data: Any, kind: str, assignment: Assignment | None) -> None:
        initial = {"assignee": assignment.assignee_id, "due": assignment.due} if assignment else {}
        super().__init__(data, initial=initial, auto_id=IDS)
        field: Any = self.fields["assignee"]
        field.queryset = topics.people_for(kind)
