"""How a page is built and sent.

A page is a record (`record.Page`), written as HTML or Markdown from the same blocks, so the two cannot
differ. This package knows no subject. Called by every slice that has pages.
"""
