"""Every tool by its name, and calling one.

`admission` counts a call like a request to the API; a refused call gets its refusal here. `call` catches
everything that a tool raises: an error becomes a gap, in the words of the API.
"""

from collections.abc import Callable
from dataclasses import dataclass

from compliance.api.contract.schemas import Schema
from compliance.channels.mcp.calls import Arguments, Call, Outcome, Unanswered
from compliance.channels.mcp.gaps import failure


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One tool as agents see it, and its function.

    `verdict` says that it answers with a verdict, and so with `clear_to_pack`.
    """

    name: str
    title: str
    description: str
    takes: Schema
    gives: Schema
    run: Callable[[Call, Arguments], Outcome]
    verdict: bool = False


def call(tool: Tool, asked: Call, arguments: Arguments) -> Outcome:
    """Call a tool."""
    try:
        if asked.refusal is not None:
            raise asked.refusal
        return tool.run(asked, arguments)
    except Unanswered as unanswered:
        return Outcome(gap=unanswered.gap)
    except Exception as error:
        return failure(asked, error)
