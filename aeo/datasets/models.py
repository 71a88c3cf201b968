"""The files of each release, and what it changed. Only `aeo.datasets.actions` writes them."""

from django.db import models


class DatasetRelease(models.Model):
    """A release whose datasets are stored as files. Only `aeo.datasets.actions` writes it."""

    ruleset_version = models.CharField(max_length=20, primary_key=True)
    sequence = models.PositiveIntegerField(unique=True, help_text="Its place in the ledger.")
    release_sha256 = models.CharField(max_length=64)
    note = models.TextField()
    published = models.DateTimeField()

    class Meta:
        ordering = ["-sequence"]

    def __str__(self) -> str:
        """Return the version."""
        return self.ruleset_version


class DatasetFile(models.Model):
    """One file of a release: made once, and never changed."""

    release = models.ForeignKey(DatasetRelease, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=30, help_text="The dataset, such as `recalls`.")
    file_format = models.CharField(max_length=10)
    sha256 = models.CharField(max_length=64, help_text="Of what readers get.")
    size_bytes = models.PositiveBigIntegerField(help_text="Of what readers get.")
    records = models.PositiveIntegerField()
    gzipped = models.BinaryField()

    class Meta:
        ordering = ["-release__sequence", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "name", "file_format"], name="dataset_file_is_one_of_its_release"
            )
        ]

    def __str__(self) -> str:
        """Return the name of the file."""
        return f"{self.name}-{self.release_id}.{self.file_format}"

    @property
    def path(self) -> str:
        """Return the address below the site's base."""
        return f"/datasets/{self.release_id}/{self.name}.{self.file_format}"


class DatasetChange(models.Model):
    """A record of a dataset that a release added, changed or withdrew.

    `record` is its new state, or the last state of a withdrawn record.
    """

    release = models.ForeignKey(DatasetRelease, on_delete=models.CASCADE, related_name="changes")
    name = models.CharField(max_length=30, help_text="The dataset, such as `recalls`.")
    record_id = models.CharField(max_length=200)
    change = models.CharField(max_length=10, help_text="`added`, `changed` or `withdrawn`.")
    fields = models.JSONField(help_text="The names of the fields that differ.")
    record = models.JSONField()
    model_id = models.CharField(max_length=80, blank=True)
    brand_id = models.CharField(max_length=100, blank=True)
    airline = models.CharField(max_length=2, blank=True)

    class Meta:
        ordering = ["-release__sequence", "pk"]
        indexes = [
            models.Index(fields=["name", "record_id"], name="dataset_change_record"),
            models.Index(fields=["name", "model_id"], name="dataset_change_model"),
            models.Index(fields=["name", "brand_id"], name="dataset_change_brand"),
            models.Index(fields=["airline"], name="dataset_change_airline"),
        ]

    def __str__(self) -> str:
        """Return the kind of change and the record."""
        return f"{self.name}/{self.record_id} {self.change} by {self.release_id}"
