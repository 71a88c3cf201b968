"""Writes that the database refuses and that no constraint can see, as triggers.

A constraint checks a row as it is, a trigger checks its change. Both apply to every writer. A refusal is an
`IntegrityError`, and its sentence describes the correct state.
"""

from collections.abc import Sequence

import pgtrigger
from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class ChangeWhile(pgtrigger.AnyChange):
    """Any of some columns changes, or any but some, while a condition in SQL holds."""

    def __init__(self, *fields: str, exclude: Sequence[str] = (), condition: str) -> None:
        super().__init__(*fields, exclude=list(exclude))
        self.condition = condition

    def resolve(self, model: type[models.Model]) -> str:
        """Return the condition as SQL over `OLD` and `NEW`."""
        return f"{self.condition} AND ({super().resolve(model)})"


def refuse(
    name: str, operation: pgtrigger.Operation, condition: pgtrigger.Condition, sentence: str
) -> pgtrigger.Trigger:
    """Return the trigger that refuses an operation on the rows that meet a condition."""
    return pgtrigger.Trigger(
        name=name,
        when=pgtrigger.Before,
        operation=operation,
        condition=condition,
        func=f"RAISE EXCEPTION '{sentence}' USING ERRCODE = 'restrict_violation';",
    )


def freeze_with_owner(owner_table: str, column: str) -> pgtrigger.Trigger:
    """Return the trigger that allows changes of rows that belong to a revision only if it is a draft.

    `column` is the foreign key that leads to it.
    """
    # The lock makes a writer wait for a submission of the revision at the same moment.
    return pgtrigger.Trigger(
        name="goes_with_its_draft",
        when=pgtrigger.After,
        operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete,
        declare=[("owner", "bigint")],
        func=f"""
            FOREACH owner IN ARRAY ARRAY[OLD.{column}, NEW.{column}] LOOP
                IF owner IS NOT NULL THEN
                    PERFORM FROM {owner_table} WHERE id = owner AND state = 'draft' FOR SHARE;
                    IF NOT FOUND THEN
                        RAISE EXCEPTION 'the evidence of a revision changes only while it is a draft'
                            USING ERRCODE = 'restrict_violation';
                    END IF;
                END IF;
            END LOOP;
            RETURN NULL;
        """,
    )


class InstallTriggers(Operation):
    """The step of a first migration that installs the triggers with which it creates its models.

    One step for all of them: after each step Django builds the models of all migrations so far again. It
    cannot be reversed: there is nothing before a first migration.
    """

    reversible = False

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """The models have their triggers among their options."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Install them."""
        for (app, _), model in sorted(to_state.models.items()):
            if app == app_label:
                for trigger in model.options.get("triggers", ()):
                    # It is finished SQL: a percent sign in it is literal.
                    schema_editor.execute(trigger.install_sql, params=None)

    def describe(self) -> str:
        """Describe the step."""
        return "Install the triggers of the models"
