"""The checker and its answers, as the templates of the site show them.

`form` fills the fields from the question, `answer` turns an answer of `rules.verdicts` into words. Nothing
here decides anything. Called by `aeo.checker.views`.
"""
