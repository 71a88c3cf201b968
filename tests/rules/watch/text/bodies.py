"""Bodies as servers send them: stored pages in any encoding, and small PDF files."""

import io
from pathlib import Path

from pypdf import PdfReader, PdfWriter

PAGES = Path(__file__).parents[1] / "pages"


def page(name: str, *, charset: str | None = None) -> bytes:
    """A stored page; with `charset` written in it, and saying so."""
    body = (PAGES / f"{name}.html").read_bytes()
    if charset is None:
        return body
    return body.decode().replace("UTF-8", charset).encode(charset)


def pdf(*pages: list[str], password: str | None = None) -> bytes:
    """A PDF file with these lines on its pages."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in enumerate(pages):
        shown = " ".join(f"({line}) Tj T*" for line in lines)
        stream = f"BT /F1 10 Tf 14 TL 50 780 Td {shown} ET"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    body = "%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = len(body)
    body += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    body += "".join(f"{place:010d} 00000 n \n" for place in places)
    body += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF"
    if password is None:
        return body.encode("latin-1")
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(body.encode("latin-1"))))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
