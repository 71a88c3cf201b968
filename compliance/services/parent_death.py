"""Ties the life of a process to that of its parent: after a `kill -9` nobody else would stop it.

The kernel does it (PR_SET_PDEATHSIG). What counts is the thread that started the process: start tied
processes from threads that live as long.
"""

import ctypes
import signal

# <sys/prctl.h>: the signal that a process gets when its parent ends.
PR_SET_PDEATHSIG = 1


def command(*arguments: str, by: str = "TERM") -> list[str]:
    """Return a command that runs a program and that gets the signal `by` when its parent ends."""
    return ["setpriv", "--pdeathsig", by, *arguments]


def tie(by: signal.Signals = signal.SIGKILL) -> None:
    """Tie this process to its parent. What it starts later is not tied to it."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, by)
