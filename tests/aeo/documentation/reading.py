"""What tests read from documents."""

from markdown_it import MarkdownIt

from aeo.documentation.documents import Document


def code(document: Document, language: str) -> list[str]:
    """Return the blocks of code of a language in a document, in their order; "" if they name none."""
    tokens = MarkdownIt().parse(document.body)
    return [token.content for token in tokens if token.type == "fence" and token.info == language]
