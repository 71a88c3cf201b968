"""A web process without its server: `python -m bench.scale.following`.

It loads the application and follows the ledger as web processes do, and prints one line of JSON for each
release that it uses: `at`, the clock in seconds, and `processor`, its own processor seconds until then. It
ends when its standard input ends.
"""

import json
import sys
import threading
import time

LOOK_SECONDS = 0.005


def main() -> None:
    """Follow the ledger."""
    import compliance.wsgi
    from rules import corpus

    threading.Thread(target=_print_releases, daemon=True).start()
    compliance.wsgi.begin()
    corpus.current()
    sys.stdin.read()
    corpus.stop_following()


def _print_releases() -> None:
    from rules import corpus

    known = None
    while True:
        release = corpus.status().release
        if release is not None and release.sha256 != known:
            known = release.sha256
            print(json.dumps({"at": time.time(), "processor": time.process_time()}), flush=True)
        time.sleep(LOOK_SECONDS)


if __name__ == "__main__":
    main()
