from django.db import migrations, models


class Migration(migrations.Migration):
    """Partners of today keep getting a receipt with every verdict. New ones ask for theirs."""

    dependencies = [
        ("compliance", "0010_watched_itineraries"),
    ]

    operations = [
        migrations.AddField(
            model_name="partner",
            name="receipts",
            field=models.BooleanField(default=True),
        ),
        migrations.AlterField(
            model_name="partner",
            name="receipts",
            field=models.BooleanField(default=False),
        ),
    ]
