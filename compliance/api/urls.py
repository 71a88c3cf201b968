"""The addresses of the API. Unknown ones are answered by `compliance.middleware`."""

from django.urls import path

from compliance.api.airlines import AirlinesView, AirlineView
from compliance.api.devices import DevicesView, DeviceView
from compliance.api.policy_changes import PolicyChangesView
from compliance.api.recalls import DeviceRecallsView, RecallsView
from compliance.api.receipts import ReceiptCheckView
from compliance.api.rules import RulesView, RuleView
from compliance.api.sources import SourcesView
from compliance.api.trips import TripsVerifyView
from compliance.api.verify import VerifyView

urlpatterns = [
    path("api/verify", VerifyView.as_view()),
    path("api/trips/verify", TripsVerifyView.as_view()),
    path("api/receipts/check", ReceiptCheckView.as_view()),
    path("api/devices", DevicesView.as_view()),
    path("api/devices/<str:model_id>", DeviceView.as_view()),
    path("api/devices/<str:model_id>/recalls", DeviceRecallsView.as_view()),
    path("api/recalls", RecallsView.as_view()),
    path("api/airlines", AirlinesView.as_view()),
    path("api/airlines/<str:code>", AirlineView.as_view()),
    path("api/policy-changes", PolicyChangesView.as_view()),
    path("api/rules", RulesView.as_view()),
    path("api/rules/<str:rule_id>", RuleView.as_view()),
    path("api/sources", SourcesView.as_view()),
]
