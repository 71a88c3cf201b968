"""Reads the PDF file on standard input, writes its text to standard output, and nothing else.

Run as a file by `rules.watch.text.pdf`, never imported by the service. It limits itself first: memory,
processor time (its argument, in seconds), no file may be written. Exit codes: 0 read, 3 not readable; any
other code means that a limit was reached.
"""

import io
import resource
import sys

MEMORY_BYTES = 768 * 1024 * 1024
MAX_CHARACTERS = 600_000
PAGE_BREAK = "\f"


def main() -> int:
    """Read, write and return the exit code."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    seconds = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    from pypdf import PdfReader

    try:
        reader = PdfReader(io.BytesIO(sys.stdin.buffer.read()))
        if reader.is_encrypted and not reader.decrypt(""):
            return 3
        pages: list[str] = []
        characters = 0
        for page in reader.pages:
            pages.append(page.extract_text().replace(PAGE_BREAK, " "))
            characters += len(pages[-1])
            if characters > MAX_CHARACTERS:
                break
    except MemoryError:
        return 4
    except Exception:
        # The library raises errors of many types for damaged files; all of them mean the same here.
        return 3
    sys.stdout.buffer.write(PAGE_BREAK.join(pages).encode("utf-8", "replace"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
