"""The checker and its answers, as the templates of the site show them.

`form` fills the fields from what was asked, `answer` makes an answer of the door ready to be read. Nothing
here decides anything. Called by `aeo.checker.views`.
"""
