"""The reserved models that never come to a verdict of their own: which error or fault each stands for.

Errors are those of the table that the service itself answers from. Faults are made in `faults`. Called by
`door`, and by `world` for the names.
"""

from collections.abc import Mapping

from compliance.api.protocol.errors import PROBLEMS, ApiError
from compliance.channels.sandbox.faults import FAULTS, Fault

RETRY_AFTER_SECONDS = 1

ERRORS: Mapping[str, str] = {f"sandbox-error-{code.lower().replace('_', '-')}": code for code in PROBLEMS}
"""The code that each of these models is always answered with."""

FAULTY: Mapping[str, Fault] = {f"sandbox-{name.replace('_', '-')}": fault for name, fault in FAULTS.items()}
"""What happens to every answer about each of these models."""

SLOW = "sandbox-slow"
"""The one whose answer arrives as it is."""

STAGED: Mapping[str, str] = {
    **{model_id: f"Error {code}" for model_id, code in ERRORS.items()},
    **{model_id: f"Fault {model_id.removeprefix('sandbox-')}" for model_id in FAULTY},
}
"""What each of all these models is called."""

_RETRY = {"Retry-After": str(RETRY_AFTER_SECONDS)}

_HEADERS: Mapping[str, Mapping[str, str]] = {
    "METHOD_NOT_ALLOWED": {"Allow": "OPTIONS"},
    "RATE_LIMITED": _RETRY,
    "SERVICE_UNAVAILABLE": _RETRY,
}


def refuse(model_id: str) -> None:
    """Raise the `ApiError` that a model stands for, if it stands for one."""
    code = ERRORS.get(model_id)
    if code is not None:
        detail = f"Sandbox: this model is always answered so. {PROBLEMS[code].detail}"
        raise ApiError(code, detail, headers=_HEADERS.get(code))
