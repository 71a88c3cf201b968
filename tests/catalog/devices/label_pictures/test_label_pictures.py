"""A picture of a label helps the approver. It is private, small, and has nothing but what can be seen."""

import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, InternalError, transaction
from django.http import HttpResponse
from PIL import Image

from catalog.devices.label_pictures.actions import MOST_OF_A_MODEL, add_picture
from catalog.devices.label_pictures.cleaning import UnreadablePicture, cleaned
from catalog.errors import Unfit
from catalog.models import LabelPicture
from rules.next_release import compile_content
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_user

LABEL = "/admin/catalog/device/lynx-10k/label/"
SECRET = "52.5200 N, 13.4050 E"


def a_picture(file_format: str = "JPEG", size: tuple[int, int] = (300, 200)) -> bytes:
    """Return a picture that says in its EXIF data where it was taken, and that it is turned."""
    exif = Image.Exif()
    exif[0x010E] = SECRET
    exif[0x0112] = 6
    out = io.BytesIO()
    Image.new("RGB", size, "white").save(out, file_format, exif=exif)
    return out.getvalue()


def sent(visitor: Visitor, content: bytes, says: str = "10000 mAh 37 Wh") -> HttpResponse:
    file = SimpleUploadedFile("label.jpg", content)
    return visitor.post(LABEL, picture=file, says=says)


@pytest.fixture
def editor(db: None, world_rows: None, fresh_desk: None) -> Visitor:
    return member("Editor")


@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP"])
def test_only_the_pixels_are_kept_upright_and_small(file_format: str) -> None:
    before = a_picture(file_format, (4_000, 3_000))
    assert SECRET.encode() in before
    after = cleaned(before)
    shown = Image.open(io.BytesIO(after))
    assert (shown.format, shown.size) == ("JPEG", (1_500, 2_000))
    assert not shown.getexif()
    assert SECRET.encode() not in after


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no JPEG"),
        (b"<svg onload=alert(1)>", "no JPEG"),
        (b"GIF89a" + bytes(100), "no JPEG"),
        (a_picture()[:300], "no JPEG|damaged"),
        (bytes(11 * 1024 * 1024), "larger than 10 MB"),
        (a_picture("PNG", (9_000, 9_000)), "^The picture has more than 40 million pixels.$"),
        (a_picture("PNG", (12_000, 12_000)), "^The picture has more than 40 million pixels.$"),
    ],
    ids=["nothing", "svg", "gif", "cut off", "too large", "a bomb", "a larger bomb"],
)
def test_other_files_are_refused_with_a_sentence(content: bytes, said: str) -> None:
    with pytest.raises(UnreadablePicture, match=said):
        cleaned(content)


def test_an_editor_adds_one_and_the_reviewer_sees_it(editor: Visitor) -> None:
    assert sent(editor, a_picture()).status_code == 302
    reviewer = member("Reviewer")
    page = reviewer.page(LABEL)
    assert "10000 mAh 37 Wh" in page
    assert 'enctype="multipart' not in page
    image = reviewer.get(f"{LABEL}{LabelPicture.objects.get().pk}/")
    assert image["Content-Type"] == "image/jpeg"
    assert "no-store" in image["Cache-Control"]
    assert image["X-Content-Type-Options"] == "nosniff"
    assert "Pictures of its label</a>: 1" in reviewer.page("/admin/catalog/device/lynx-10k/change/")


def test_it_is_in_no_release_and_nobody_outside_the_desk_sees_it(editor: Visitor) -> None:
    before = compile_content()
    sent(editor, a_picture())
    assert compile_content() == before
    picture = f"{LABEL}{LabelPicture.objects.get().pk}/"
    editor.client.logout()
    for address in (LABEL, picture):
        assert editor.get(address)["Location"].startswith("/admin/login/")
    assert member("Partner manager").get(picture).status_code == 403


def test_a_picture_that_is_taken_away_is_gone_and_its_note_stays(editor: Visitor) -> None:
    sent(editor, a_picture())
    picture = f"{LABEL}{LabelPicture.objects.get().pk}/"
    assert member("Reviewer").post(f"{picture}remove/").status_code == 403
    assert editor.post(f"{picture}remove/").status_code == 302
    assert editor.get(picture).status_code == 404
    kept = LabelPicture.objects.get()
    assert (kept.content, kept.removed_by, kept.says) == (None, editor.user, "10000 mAh 37 Wh")
    assert "Taken away by" in editor.page(LABEL)
    editor.post(f"{picture}remove/")
    assert "was taken away already" in editor.page(LABEL)


def test_a_refusal_keeps_what_was_typed(editor: Visitor) -> None:
    refused = sent(editor, b"no picture", says="10000 mAh 37 Wh")
    assert refused.status_code == 400
    assert 'value="10000 mAh 37 Wh"' in refused.content.decode()
    assert not LabelPicture.objects.exists()


def test_a_picture_of_another_model_is_not_found(editor: Visitor) -> None:
    sent(editor, a_picture())
    other = f"/admin/catalog/device/heron-9/label/{LabelPicture.objects.get().pk}/"
    assert editor.get(other).status_code == 404
    editor.post(f"{other}remove/")
    assert LabelPicture.objects.get().content is not None
    assert editor.get("/admin/catalog/device/no-such/label/").status_code == 404


@pytest.mark.django_db
def test_a_model_has_a_dozen_at_most() -> None:
    made: dict[str, Any] = {"by": a_user("editor"), "model_id": "lynx-10k", "says": "37 Wh"}
    for _ in range(MOST_OF_A_MODEL):
        add_picture(**made, content=a_picture())
    with pytest.raises(Unfit, match="take one away first"):
        add_picture(**made, content=a_picture())


@pytest.mark.django_db
def test_the_database_keeps_the_note_of_a_picture() -> None:
    add_picture(by=a_user("editor"), model_id="lynx-10k", says="37 Wh", content=a_picture())
    for change in ({"says": "99 Wh"}, {"model_id": "heron-9"}):
        with pytest.raises((IntegrityError, InternalError)), transaction.atomic():
            LabelPicture.objects.update(**change)
    with pytest.raises((IntegrityError, InternalError)), transaction.atomic():
        LabelPicture.objects.all().delete()
