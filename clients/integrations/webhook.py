"""A delivery, checked with the library of Standard Webhooks: delivery.json has secret, headers and body."""

import json
from pathlib import Path

from standardwebhooks import Webhook, WebhookVerificationError

delivery = json.loads(Path("delivery.json").read_text())
webhook = Webhook(delivery["secret"])
print(webhook.verify(delivery["body"], delivery["headers"])["type"])
try:
    webhook.verify(delivery["body"].replace("registered", "changed"), delivery["headers"])
except WebhookVerificationError:
    print("a changed delivery is refused")
else:
    raise SystemExit("A changed delivery is taken.")
