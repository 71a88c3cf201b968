"""The reserved models that never get a verdict of their own: the error or fault of each.

Errors are those of the service's own table. Faults are made in `faults`. Called by `environment`, and by
`release` for the names.
"""

from collections.abc import Mapping

from compliance.api.protocol.errors import PROBLEMS, ApiError
from compliance.channels.sandbox.faults import FAULTS, Fault

RETRY_AFTER_SECONDS = 1

ERRORS: Mapping[str, str] = {f"sandbox-error-{code.lower().replace('_', '-')}": code for code in PROBLEMS}
"""The code of the answer to each of these models."""

FAULTY: Mapping[str, Fault] = {f"sandbox-{name.replace('_', '-')}": fault for name, fault in FAULTS.items()}
"""The fault of every answer about each of these models."""

SLOW = "sandbox-slow"
"""The model whose answer arrives unchanged."""

STAGED: Mapping[str, str] = {
    **{model_id: f"Error {code}" for model_id, code in ERRORS.items()},
    **{model_id: f"Fault {model_id.removeprefix('sandbox-')}" for model_id in FAULTY},
}
"""The name of each of all these models."""

_RETRY = {"Retry-After": str(RETRY_AFTER_SECONDS)}

_HEADERS: Mapping[str, Mapping[str, str]] = {
    "METHOD_NOT_ALLOWED": {"Allow": "OPTIONS"},
    "RATE_LIMITED": _RETRY,
    "REQUEST_IN_PROGRESS": _RETRY,
    "SERVICE_UNAVAILABLE": _RETRY,
}


def refuse(model_id: str) -> None:
    """Raise the `ApiError` of a model, if it has one."""
    code = ERRORS.get(model_id)
    if code is not None:
        detail = f"Sandbox: this model always gets this answer. {PROBLEMS[code].detail}"
        raise ApiError(code, detail, headers=_HEADERS.get(code))
