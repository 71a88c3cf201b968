"""Why a body has no text that could be compared with an earlier one."""

from typing import Literal

UnreadableReason = Literal[
    "bot_wall",  # a page that asks for JavaScript, a captcha or permission to enter, instead of the page
    "broken_page",  # markup that no browser would show, such as thousands of elements inside each other
    "broken_pdf",  # not a PDF file, a damaged one, or one that needs a password
    "no_text",  # it has no text, or almost none
    "not_text",  # a media type without text, or bytes that are none
    "took_too_long",  # a PDF file that needs more time or memory than a document should
]


class Unreadable(Exception):
    """A body cannot be read. The page may be unchanged: this says nothing about its words."""

    def __init__(self, reason: UnreadableReason) -> None:
        super().__init__(reason)
        self.reason: UnreadableReason = reason
