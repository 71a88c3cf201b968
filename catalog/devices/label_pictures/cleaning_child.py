"""Reads a picture on standard input, and writes it to standard output as a JPEG with nothing but its pixels.

Run as a file by `catalog.devices.label_pictures.cleaning`, never imported by the service: decoders of
pictures have a history of errors. It limits itself first: memory, processor time, no file may be written.
Exit codes: 0 written; 3 refused, with the reason on standard error; any other code means that a limit was
reached.
"""

import io
import resource
import sys

from PIL import Image, ImageOps

MEMORY_BYTES = 768 * 1024 * 1024
SECONDS = 15
# Pillow has a warning of its own for large pictures, with a path of this machine; the bound is below.
Image.MAX_IMAGE_PIXELS = None
MOST_PIXELS = 40_000_000
MOST_EDGE = 2_000
"""The longest edge of what is kept, in pixels: enough to read a label."""
QUALITY = 80


def main() -> int:
    """Read, write and return the exit code."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    try:
        found = Image.open(io.BytesIO(sys.stdin.buffer.read()), formats=("JPEG", "PNG", "WEBP"))
    except Exception:
        # Whatever a decoder raises at these bytes, they are no picture.
        sys.stderr.write("This is no JPEG, PNG or WebP picture.")
        return 3
    if found.width * found.height > MOST_PIXELS:
        sys.stderr.write(f"The picture has more than {MOST_PIXELS // 1_000_000} million pixels.")
        return 3
    try:
        upright = ImageOps.exif_transpose(found).convert("RGB")
        upright.thumbnail((MOST_EDGE, MOST_EDGE))
        # Only the pixels go on: a new picture has no data about the camera or the place.
        clean = Image.new("RGB", upright.size)
        clean.paste(upright)
        out = io.BytesIO()
        clean.save(out, "JPEG", quality=QUALITY)
    except MemoryError:
        return 4
    except Exception:
        sys.stderr.write("The picture cannot be read: it is damaged.")
        return 3
    sys.stdout.buffer.write(out.getvalue())
    return 0


if __name__ == "__main__":
    sys.exit(main())
