"""The screens of rules: list, form, panels next to the form."""
