"""Ties the life of a process to its parent: after a `kill -9` of the parent nothing else would stop it.

The kernel does it (PR_SET_PDEATHSIG). The thread that started the process counts as the parent. So start tied
processes from threads that live as long.
"""

import ctypes
import signal

# <sys/prctl.h>: sets the signal that a process gets when its parent ends.
PR_SET_PDEATHSIG = 1


def command(*arguments: str, by: str = "TERM") -> list[str]:
    """Return a command that runs a program, and that gets the signal `by` when its parent ends."""
    return ["setpriv", "--pdeathsig", by, *arguments]


def tie(by: signal.Signals = signal.SIGKILL) -> None:
    """Tie this process to its parent. Processes that it starts later are not tied."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, by)
