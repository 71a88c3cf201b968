"""Changes of the catalog that wait for approval.

A change of a fact that decides answers, such as the energy of a model, is kept in a change set: one for each
saved form and one for each import. The rows of the catalog stay as they are until another person approves
the whole set. The screens of models and airlines call this; starter-corpus updates and roll-backs do not.
"""
