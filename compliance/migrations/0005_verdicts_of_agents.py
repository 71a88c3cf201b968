# Agents get verdicts, too.

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("compliance", "0004_trip_watch"),
    ]

    operations = [
        migrations.AlterField(
            model_name="verdictrecord",
            name="channel",
            field=models.CharField(choices=[("api", "api"), ("page", "page"), ("mcp", "mcp")], max_length=4),
        ),
    ]
