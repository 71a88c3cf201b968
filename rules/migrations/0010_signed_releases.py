import django.db.models.deletion
from django.db import migrations, models

# The function is that of the releases themselves: a signature stays as its release stays.
PROTECT = """
CREATE TRIGGER rules_releasesignature_stays_as_it_is
    BEFORE UPDATE OR DELETE ON rules_releasesignature
    FOR EACH ROW EXECUTE FUNCTION rules_release_is_published();

CREATE TRIGGER rules_releasesignature_stays_full
    BEFORE TRUNCATE ON rules_releasesignature
    FOR EACH STATEMENT EXECUTE FUNCTION rules_release_is_published();
"""

UNPROTECT = """
DROP TRIGGER rules_releasesignature_stays_full ON rules_releasesignature;
DROP TRIGGER rules_releasesignature_stays_as_it_is ON rules_releasesignature;
"""


class Migration(migrations.Migration):
    dependencies = [("rules", "0009_proofs_of_releases")]

    operations = [
        migrations.CreateModel(
            name="ReleaseSignature",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kid", models.CharField(editable=False, max_length=43)),
                ("statement", models.TextField(editable=False)),
                ("signature", models.CharField(editable=False, max_length=86)),
                (
                    "release",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="signatures",
                        to="rules.release",
                    ),
                ),
            ],
            options={"ordering": ["id"], "default_permissions": ()},
        ),
        migrations.AddConstraint(
            model_name="releasesignature",
            constraint=models.UniqueConstraint(fields=("release", "kid"), name="release_signature_once"),
        ),
        migrations.RunSQL(PROTECT, UNPROTECT),
    ]
