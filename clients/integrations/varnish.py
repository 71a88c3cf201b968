"""Varnish in front: pages and reads are answered from its memory, verdicts never are."""

import os
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
HERE = f"http://127.0.0.1:{port}"
READS = ("/airlines/EK", "/api/airlines/EK", "/aeo-manifest.json", "/datasets/changes.json")
QUESTION = Path("question.json").read_bytes()


def ask(path: str, body: bytes | None = None) -> tuple[str, bytes]:
    """Return the name of the answer in Varnish's memory, empty if it was asked for anew, and the body."""
    request = urllib.request.Request(HERE + path, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        # Two numbers: this request, and the one that filled the memory.
        numbers = answer.headers["X-Varnish"].split()
        return " ".join(numbers[1:]), answer.read()


command = ["varnishd", "-F", "-n", f"{Path.cwd()}/varnish", "-a", f"127.0.0.1:{port}"]
command += ["-b", os.environ["ADDRESS"].removeprefix("http://")]
with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as varnish:
    try:
        for _ in range(100):
            try:
                ask("/healthz")
                break
            except OSError:
                time.sleep(0.1)
        for path in READS:
            (_, first), (kept, second) = ask(path), ask(path)
            assert kept, f"{path} is not kept"
            assert first == second
        for _ in range(2):
            kept, answer = ask("/api/verify", QUESTION)
            assert not kept, "A verdict is kept"
            assert b'"verdict"' in answer
    finally:
        varnish.terminate()
print(len(READS), "addresses are kept, verdicts are not")
