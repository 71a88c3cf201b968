"""The addresses of the sandbox: the operations of the API that clients use.

Operations that depend on the ledger are missing: receipts, and the history of policies.
"""

from django.urls import path

from compliance.api.protocol.caching import ExtraState
from compliance.api.protocol.callers import Caller
from compliance.api.reads.airlines import AirlinesView, AirlineView
from compliance.api.reads.codes import CodesView
from compliance.api.reads.devices import DevicesView, DeviceView
from compliance.api.reads.places import AirportState, PlacesView
from compliance.api.reads.policy_state import PolicyState
from compliance.api.reads.recall_check import RecallCheckView
from compliance.api.reads.recalls import DeviceRecallsView, RecallsView
from compliance.api.reads.rules import RulesView, RuleView
from compliance.api.reads.sources import SourcesView
from compliance.api.verdicts.batch import VerifyBatchView
from compliance.api.verdicts.itineraries import ItinerariesVerifyView
from compliance.api.verdicts.itinerary_batch import ItinerariesBatchView
from compliance.api.verdicts.trips import TripsVerifyView
from compliance.api.verdicts.verify import VerifyView
from compliance.channels.sandbox.environment import SANDBOX
from compliance.channels.sandbox.outcomes import OutcomesView
from rules.corpus import Published


class SandboxAirlineView(AirlineView):
    """One airline's policy, which never changed."""

    def extra_state(self, published: Published, caller: Caller, **path: str) -> ExtraState:
        """Return an empty history; the sandbox does not use the real one."""
        return PolicyState()


class SandboxPlacesView(PlacesView):
    """Places by name, without facts of real airports."""

    def extra_state(self, published: Published, caller: Caller, **path: str) -> ExtraState:
        """Return no facts; the sandbox does not read the tables."""
        return AirportState()


urlpatterns = [
    path("api/verify", VerifyView.as_view(place=SANDBOX)),
    path("api/verify/batch", VerifyBatchView.as_view(place=SANDBOX)),
    path("api/trips/verify", TripsVerifyView.as_view(place=SANDBOX)),
    path("api/itineraries/verify", ItinerariesVerifyView.as_view(place=SANDBOX)),
    path("api/itineraries/verify/batch", ItinerariesBatchView.as_view(place=SANDBOX)),
    path("api/devices", DevicesView.as_view(place=SANDBOX)),
    path("api/devices/<str:model_id>", DeviceView.as_view(place=SANDBOX)),
    path("api/devices/<str:model_id>/recalls", DeviceRecallsView.as_view(place=SANDBOX)),
    path("api/recalls", RecallsView.as_view(place=SANDBOX)),
    path("api/recalls/check", RecallCheckView.as_view(place=SANDBOX)),
    path("api/airlines", AirlinesView.as_view(place=SANDBOX)),
    path("api/airlines/<str:code>", SandboxAirlineView.as_view(place=SANDBOX)),
    path("api/codes", CodesView.as_view(place=SANDBOX)),
    path("api/places", SandboxPlacesView.as_view(place=SANDBOX)),
    path("api/rules", RulesView.as_view(place=SANDBOX)),
    path("api/rules/<str:rule_id>", RuleView.as_view(place=SANDBOX)),
    path("api/sources", SourcesView.as_view(place=SANDBOX)),
    path("api/outcomes", OutcomesView.as_view(place=SANDBOX)),
]
