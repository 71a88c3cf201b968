"""What a webhook is told of a release: that it was published, and the recalls that it adds. Reads only."""

from collections.abc import Iterator

from compliance.partners.models import Webhook
from compliance.partners.webhooks.bodies import RecallAdded, RulesetPublished
from rules.corpus import Published


def told_of(
    webhook: Webhook, before: Published, release: Published
) -> Iterator[RulesetPublished | RecallAdded]:
    """Return what a webhook is told of a release that was told of an earlier one last."""
    if "ruleset.published" in webhook.events:
        yield RulesetPublished(
            ruleset_version=release.ruleset_version,
            ruleset_version_before=before.ruleset_version,
            published_at=release.published_at,
            sha256=release.sha256,
        )
    known = {recall.recall_id for recall in before.corpus.content.recalls}
    for recall in release.corpus.content.recalls:
        if recall.model_id in webhook.recall_models and recall.recall_id not in known:
            yield RecallAdded(
                recall_id=recall.recall_id,
                model_id=recall.model_id,
                authority=recall.authority,
                title=recall.title,
                announced_on=recall.announced_on,
                notice_url=recall.notice_url,
                ruleset_version=release.ruleset_version,
            )
