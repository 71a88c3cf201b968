"""The screens of verdict cases: the list, the form, the buttons of the workflow, and *Ask now*."""
