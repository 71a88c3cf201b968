"""The page of the pictures of one model's label, and each picture. Only people at the desk see them."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminTextInputWidget

from catalog.devices.label_pictures.actions import add_picture, remove_picture
from catalog.devices.label_pictures.cleaning import MAX_BYTES, UnreadablePicture
from catalog.devices.label_pictures.models import LabelPicture
from catalog.devices.models import Device
from catalog.editorial.pending.models import PendingChange
from catalog.editorial.pending.screens.records import PendingBulkAdmin
from catalog.errors import Refused
from catalog.screens.confirmation import acting_user
from catalog.screens.ids import row_or_none


class PictureForm(forms.Form):
    """A picture of a label, and what can be read on it."""

    picture = forms.FileField(
        widget=UnfoldAdminFileFieldWidget({"accept": "image/jpeg,image/png,image/webp"}),
        help_text=f"JPEG, PNG or WebP, up to {MAX_BYTES // 1024 // 1024} MB. Only the pixels are kept: data "
        "about the camera and the place are removed. Show no serial number.",
    )
    says = forms.CharField(
        label="What it says",
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        help_text="The figures as they are printed, such as “10000 mAh 3.7 V 37 Wh”.",
    )


class LabelPicturePages(PendingBulkAdmin):
    """The screens of models, with the pictures of their labels."""

    def get_urls(self) -> list[Any]:
        """Return the addresses, with these pages before those of models."""
        wrap, name = self.admin_site.admin_view, "catalog_device_label"
        return [
            path("<str:object_id>/label/", wrap(self.label), name=name),
            path("<str:object_id>/label/<str:picture>/", wrap(self.label_picture), name=f"{name}_picture"),
            path(
                "<str:object_id>/label/<str:picture>/remove/", wrap(self.remove_label), name=f"{name}_remove"
            ),
            *super().get_urls(),
        ]

    def label(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show the pictures of a model, and take another one."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        self._require_known(object_id)
        may_add = self.has_change_permission(request)
        if request.method == "POST" and not may_add:
            raise PermissionDenied
        form = PictureForm(request.POST, request.FILES) if request.method == "POST" else PictureForm()
        if request.method == "POST" and self._added(request, object_id, form):
            messages.success(request, "The picture is kept. Only people at the desk see it.")
            return HttpResponseRedirect(request.path)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Pictures of the label: {object_id}",
            "model_id": object_id,
            "pictures": LabelPicture.objects.filter(model_id=object_id)
            .defer("content")
            .select_related("created_by", "removed_by"),
            "form": form if may_add else None,
        }
        status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
        return TemplateResponse(request, "admin/catalog/label.html", context, status=status)

    def label_picture(self, request: HttpRequest, object_id: str, picture: str) -> HttpResponse:
        """Send one picture."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = row_or_none(LabelPicture, picture)
        if found is None or found.model_id != object_id or found.content is None:
            raise Http404
        return HttpResponse(bytes(found.content), content_type="image/jpeg")

    def remove_label(self, request: HttpRequest, object_id: str, picture: str) -> HttpResponse:
        """Take a picture away."""
        if request.method != "POST" or not self.has_change_permission(request):
            raise PermissionDenied
        found = row_or_none(LabelPicture, picture)
        if found is None:
            raise Http404
        try:
            remove_picture(by=acting_user(request), model_id=object_id, picture=found.pk)
        except Refused as refusal:
            messages.error(request, f"{refusal}.")
        return HttpResponseRedirect(reverse("admin:catalog_device_label", args=[object_id]))

    def _added(self, request: HttpRequest, model_id: str, form: PictureForm) -> bool:
        """Add the picture of a form; where it is refused, say why in the form."""
        if not form.is_valid():
            return False
        content, says = form.cleaned_data["picture"].read(), form.cleaned_data["says"]
        try:
            add_picture(by=acting_user(request), model_id=model_id, says=says, content=content)
        except (UnreadablePicture, Refused) as refusal:
            form.add_error("picture", str(refusal))
        return not form.errors

    def _require_known(self, model_id: str) -> None:
        """Find a model that is recorded or waits for its approval. Raises `Http404`."""
        waits = PendingChange.objects.filter(kind="device", record_id=model_id, waiting=True)
        if not Device.objects.filter(pk=model_id).exists() and not waits.exists():
            raise Http404
