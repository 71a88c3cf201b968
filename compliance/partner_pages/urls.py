"""The addresses of the pages of partners. None has a final slash."""

from django.urls import URLPattern, URLResolver, include, path

from compliance.partner_pages import entering, keys, overview, watches, webhooks
from compliance.signin import urls as signin
from compliance.signin.views import sign_in

app_name = "partners"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", overview.home, name="home"),
    path("/sign-in", sign_in, name="sign-in"),
    path("/sign-out", entering.sign_out, name="sign-out"),
    path("/invitation/<str:secret>", entering.invitation, name="invitation"),
    path("/account", entering.account, name="account"),
    path("/account/password", entering.password, name="password"),
    path("/keys", keys.keys, name="keys"),
    path("/keys/new", keys.new, name="new-key"),
    path("/keys/replace", keys.replace, name="replace-key"),
    path("/keys/<str:public_id>/end", keys.end, name="end-key"),
    path("/origins", keys.origins, name="origins"),
    path("/usage", overview.usage, name="usage"),
    path("/webhooks", webhooks.webhooks, name="webhooks"),
    path("/webhooks/new", webhooks.new, name="new-webhook"),
    path("/webhooks/<str:webhook_id>", webhooks.webhook, name="webhook"),
    path("/webhooks/<str:webhook_id>/test", webhooks.test, name="test-webhook"),
    path("/webhooks/<str:webhook_id>/events", webhooks.events, name="webhook-events"),
    path("/webhooks/<str:webhook_id>/end", webhooks.end, name="end-webhook"),
    path("/deliveries/<uuid:delivery_id>/again", webhooks.send_again, name="send-again"),
    path("/watches", watches.watches, name="watches"),
    path("/watches/after/<uuid:after>", watches.watches, name="watches-after"),
    path("/watches/<uuid:watch_id>/end", watches.end, name="end-watch"),
]

SIGN_IN = include((signin.pages(""), signin.app_name), namespace="partner-signin")
"""The shared pages of signing in, below `/partners/`."""
