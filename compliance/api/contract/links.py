"""The next operations after an answer: OpenAPI links, by operation."""

from compliance.api.contract.schemas import Schema


def _link(operation_id: str, description: str, **parameters: str) -> Schema:
    return {
        "operationId": operation_id,
        "description": description,
        "parameters": {name: f"$response.body#/{pointer}" for name, pointer in parameters.items()},
    }


LINKS: dict[str, Schema] = {
    "verify": {
        "device": _link("getDevice", "The facts of the model.", model_id="device_resolved/model_id"),
        "sources": _link("listSources", "The evidence of the model.", model_id="device_resolved/model_id"),
    },
    "verifyTrip": {
        "device": _link("getDevice", "The facts of the model.", model_id="device_resolved/model_id"),
        "airline": _link(
            "getAirline", "The policy of the first flight's airline.", code="segments/0/airline"
        ),
    },
    "verifyItinerary": {
        "sources": _link(
            "listSources", "The evidence of a rule.", rule_id="segments/0/constraints/0/rule_ids/0"
        ),
    },
    "listDevices": {
        "device": _link("getDevice", "The facts of the first model.", model_id="devices/0/model_id"),
        "recalls": _link(
            "listDeviceRecalls", "The recalls of the first model.", model_id="devices/0/model_id"
        ),
    },
    "getDevice": {
        "recalls": _link("listDeviceRecalls", "The recalls of the model in full.", model_id="model_id"),
        "sources": _link("listSources", "The evidence of the model.", model_id="model_id"),
    },
    "listRecalls": {
        "device": _link("getDevice", "The model of the first recall.", model_id="recalls/0/model_id"),
    },
    "listAirlines": {
        "airline": _link("getAirline", "The policy of the first airline.", code="airlines/0/airline"),
        "rules": _link("listRules", "The rules of the first airline.", airline="airlines/0/airline"),
    },
    "listRules": {
        "rule": _link("getRule", "The first rule.", rule_id="rules/0/rule_id"),
        "sources": _link("listSources", "The evidence of the first rule.", rule_id="rules/0/rule_id"),
    },
    "getRule": {
        "sources": _link("listSources", "The evidence of the rule.", rule_id="rule_id"),
    },
}
