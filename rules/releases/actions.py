"""The only code that writes signatures of releases. Called by `rules.publishing.actions`."""

from rules.releases.models import Release, ReleaseSignature
from rules.releases.signing import Signature


def store(release: Release, signature: Signature) -> None:
    """Add a signature to a release."""
    ReleaseSignature.objects.create(release=release, **signature._asdict())
