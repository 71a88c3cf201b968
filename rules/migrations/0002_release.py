import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Emptying the table is refused as well, except in a session that says so: transactional tests must clean up after
# themselves, and they do it by TRUNCATE.
PROTECT = """
CREATE FUNCTION rules_release_is_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' AND current_setting('rules.ledger_may_be_emptied', true) = 'yes' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'a published release neither changes nor goes away (%)', TG_OP
        USING ERRCODE = 'restrict_violation',
              HINT = 'Publish another one. Only a session that has SET rules.ledger_may_be_emptied = ''yes'' may empty the ledger.';
END
$$;

CREATE TRIGGER rules_release_stays_as_it_is
    BEFORE UPDATE OR DELETE ON rules_release
    FOR EACH ROW EXECUTE FUNCTION rules_release_is_published();

CREATE TRIGGER rules_release_stays_full
    BEFORE TRUNCATE ON rules_release
    FOR EACH STATEMENT EXECUTE FUNCTION rules_release_is_published();
"""

UNPROTECT = """
DROP TRIGGER rules_release_stays_full ON rules_release;
DROP TRIGGER rules_release_stays_as_it_is ON rules_release;
DROP FUNCTION rules_release_is_published();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("rules", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Release",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ruleset_version", models.CharField(max_length=20, unique=True)),
                ("sequence", models.PositiveIntegerField(unique=True)),
                ("document", models.TextField()),
                ("sha256", models.CharField(max_length=64, unique=True)),
                ("content_sha256", models.CharField(max_length=64)),
                ("note", models.TextField()),
                ("published_at", models.DateTimeField()),
                (
                    "predecessor",
                    models.OneToOneField(
                        db_column="predecessor_sha256",
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="successor",
                        to="rules.release",
                        to_field="sha256",
                    ),
                ),
                (
                    "published_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["sequence"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ruleset_version__regex", "^\\d{4}-\\d{2}-\\d{2}(\\.([2-9]|[1-9]\\d+))?$")
                        ),
                        name="release_version_is_a_date",
                        violation_error_message="the version is a date, with .2, .3 … for later releases of that day",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("sha256__regex", "^[0-9a-f]{64}$")),
                        name="release_sha256_is_a_digest",
                        violation_error_message="`sha256` is 64 lower-case hex digits",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("content_sha256__regex", "^[0-9a-f]{64}$")),
                        name="release_content_sha256_is_a_digest",
                        violation_error_message="`content_sha256` is 64 lower-case hex digits",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("sequence", 1), ("predecessor__isnull", True)),
                            models.Q(
                                models.Q(("sequence", 1), _negated=True),
                                models.Q(("predecessor__isnull", True), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="release_first_has_no_predecessor",
                        violation_error_message="the first release has no predecessor, and every other one has",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("note__regex", "\\S")),
                        name="release_note_is_written",
                        violation_error_message="a release has a note",
                    ),
                ],
            },
        ),
        migrations.RunSQL(PROTECT, UNPROTECT),
    ]
