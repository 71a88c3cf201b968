"""The addresses of the API. `compliance.middleware.request_envelope` answers unknown ones."""

from django.urls import URLPattern, URLResolver, include, path

from compliance.api.reads.airlines import AirlinesView, AirlineView
from compliance.api.reads.codes import CodesView
from compliance.api.reads.coverage import CoverageView
from compliance.api.reads.devices import DevicesView, DeviceView
from compliance.api.reads.places import PlacesView
from compliance.api.reads.policy_changes import PolicyChangesView
from compliance.api.reads.recall_check import RecallCheckView
from compliance.api.reads.recalls import DeviceRecallsView, RecallsView
from compliance.api.reads.rules import RulesView, RuleView
from compliance.api.reads.sources import SourcesView
from compliance.api.verdicts.batch import VerifyBatchView
from compliance.api.verdicts.itineraries import ItinerariesVerifyView
from compliance.api.verdicts.itinerary_batch import ItinerariesBatchView
from compliance.api.verdicts.later_receipts import ReceiptsView
from compliance.api.verdicts.own_watches import WatchView
from compliance.api.verdicts.receipts import ReceiptCheckView
from compliance.api.verdicts.trips import TripsVerifyView
from compliance.api.verdicts.verify import VerifyView
from compliance.api.verdicts.watches import WatchesView

operations = [
    path("verify", VerifyView.as_view()),
    path("verify/batch", VerifyBatchView.as_view()),
    path("trips/verify", TripsVerifyView.as_view()),
    path("itineraries/verify", ItinerariesVerifyView.as_view()),
    path("itineraries/verify/batch", ItinerariesBatchView.as_view()),
    path("watches", WatchesView.as_view()),
    path("watches/<str:watch_id>", WatchView.as_view()),
    path("receipts", ReceiptsView.as_view()),
    path("receipts/check", ReceiptCheckView.as_view()),
    path("devices", DevicesView.as_view()),
    path("devices/<str:model_id>", DeviceView.as_view()),
    path("devices/<str:model_id>/recalls", DeviceRecallsView.as_view()),
    path("recalls/check", RecallCheckView.as_view()),
    path("recalls", RecallsView.as_view()),
    path("airlines", AirlinesView.as_view()),
    path("airlines/<str:code>", AirlineView.as_view()),
    path("codes", CodesView.as_view()),
    path("coverage", CoverageView.as_view()),
    path("places", PlacesView.as_view()),
    path("policy-changes", PolicyChangesView.as_view()),
    path("rules", RulesView.as_view()),
    path("rules/<str:rule_id>", RuleView.as_view()),
    path("sources", SourcesView.as_view()),
]

urlpatterns: list[URLPattern | URLResolver] = [
    # The most frequent operation. It is outside the nested list, because a search in that list doubles the
    # time that finding the view takes.
    path("api/verify", VerifyView.as_view()),
    # One prefix, so that requests for other addresses are compared only with it.
    path("api/", include(operations[1:])),
]
