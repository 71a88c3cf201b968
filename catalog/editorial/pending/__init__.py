"""Changes of the catalog that wait for approval.

A change of a fact, such as the energy or the name of a model, is kept in a change set: one for each saved
form and one for each import. Only notes for editors are written at once. The rows of the catalog stay as they
are until another person approves the whole set. The screens of models, brands and airlines call this;
starter-corpus updates and roll-backs do not.
"""
