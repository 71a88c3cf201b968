"""Requests as a partner, for tests about what partners see and not about their keys."""

import pytest

from compliance.api.protocol.callers import Caller


def ask_as_partner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every request of this test count as a partner's."""
    monkeypatch.setattr("compliance.api.protocol.views.caller_of", lambda request: Caller("partner"))
