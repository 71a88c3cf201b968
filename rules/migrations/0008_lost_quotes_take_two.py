"""A lost quote is still true only if one person proposed it and another one confirmed it."""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rules", "0007_lost_quotes")]

    operations = [
        migrations.RemoveConstraint(
            model_name="watchsignal",
            name="watch_signal_lost_quote_takes_two_people",
        ),
        # Not validated: signals that were closed before there were proposals stay as they are.
        AddConstraintNotValid(
            model_name="watchsignal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "quote_gone"), ("outcome", "still_true"), _negated=True),
                    models.Q(
                        ("proposed_by__isnull", False),
                        models.Q(("proposed_by", models.F("closed_by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="watch_signal_lost_quote_takes_two_people",
                violation_error_message="what one person proposed, another one confirms",
            ),
        ),
    ]
