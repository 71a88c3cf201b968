from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rules", "0004_plainer_sentences")]

    operations = [
        migrations.AddField(
            model_name="impactmeasurement",
            name="form",
            field=models.PositiveSmallIntegerField(default=1, editable=False),
            preserve_default=False,
        ),
        migrations.RemoveConstraint(
            model_name="impactmeasurement", name="measurement_once_for_a_content_and_a_day"
        ),
        migrations.AddConstraint(
            model_name="impactmeasurement",
            constraint=models.UniqueConstraint(
                fields=("base", "content_sha256", "day", "form"),
                name="measurement_once_for_a_content_and_a_day",
            ),
        ),
    ]
