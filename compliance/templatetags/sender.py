"""The tag `csrf_token` of all templates: in forms of the desk it also names the account of the page."""

from typing import Any

from django import template
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html

from compliance.operations.accounting import ADMIN_PREFIX
from compliance.signin.sender import FIELD, mark_of

register = template.Library()


class SenderNode(CsrfTokenNode):
    """The token, and the account."""

    def render(self, context: Any) -> str:
        """Return both as hidden fields."""
        token, request = super().render(context), context.get("request")
        if not token or request is None or not request.path_info.startswith(ADMIN_PREFIX):
            return token
        if not request.user.is_authenticated:
            return token
        mark = mark_of(request.user)
        return format_html('{}<input type="hidden" name="{}" value="{}">', token, FIELD, mark)


@register.tag("csrf_token")
def csrf_token(parser: Any, token: Any) -> SenderNode:
    """Return the node of the tag."""
    return SenderNode()
