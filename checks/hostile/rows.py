"""What the desk can show and change: a row of most kinds, and the ids of all kinds."""

from collections.abc import Sequence
from urllib.parse import quote as percent

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.auth.models import User
from django.utils import timezone

from catalog.editorial.workflow import EditorAction
from compliance.partners.actions.keys import issue_key
from compliance.partners.actions.partners import record_partner
from compliance.partners.agreement import Agreement
from compliance.partners.webhooks.actions import register_webhook
from recalls.models import Recall
from rules.editing.actions import revise_rules
from rules.models import Rule

MOST_IDS = 6
AGREEMENT = Agreement(
    name="Hostile",
    contact_email="hostile@partner.example",
    rate_per_minute=10_000_000,
    allowed_origins=("https://partner.example",),
    terms_url="https://partner.example/terms",
)


def make_rows() -> dict[str, str]:
    """Make drafts, and a partner with a key and a webhook; return the secrets among them, by their text."""
    by, now = (
        User.objects.get_or_create(username="hostile-maker", defaults={"is_active": False})[0],
        timezone.now(),
    )
    published = Rule.objects.order_by("rule_id").values_list("rule_id", flat=True)[:4]
    revise_rules(by=by, rule_ids=[*published], reason="To have drafts.")
    record_partner(by=by, now=now, slug="hostile", agreement=AGREEMENT)
    issued = issue_key(by=by, now=now, partner="hostile")
    webhook = register_webhook(by=by, now=now, partner="hostile", url="https://93.184.216.34/hook")
    return {issued.plain.reveal(): "a partner's key", webhook.secret: "the secret of a webhook"}


def ids() -> dict[str, Sequence[str]]:
    """Return some ids of each kind, by the address of its list, as addresses contain them."""
    found: dict[str, Sequence[str]] = {}
    for model in admin.site._registry:
        name = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        newest = model._default_manager.order_by("-pk").values_list("pk", flat=True)[:MOST_IDS]
        found[name] = [percent(quote(str(key)), safe="") for key in newest]
    return found


def words() -> dict[str, Sequence[str]]:
    """Return values of the parameters of addresses that are no ids."""
    recall = Recall.objects.values_list("recall_id", flat=True).first()
    return {
        "action": [str(action) for action in EditorAction],
        "file_format": ["csv", "json", "jsonl", "xlsx"],
        "app_label": ["catalog", "rules"],
        "recall": [str(recall)],
        "reason": ["Read again.", "x" * 2000],
        "seen": ["1", "2"],
        "confirm": ["yes"],
    }
