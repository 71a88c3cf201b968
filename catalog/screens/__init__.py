"""The base of all admin screens.

Forms that call an action, confirmation pages, lists as form fields, history, filters, import and export.
Screens of every room subclass these. Nothing here writes a row directly.
"""
