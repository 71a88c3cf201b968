"""What each release changed in the policies of airlines and the rules of authorities.

Computed once a release and stored in two tables that only `actions` writes; `selectors` and `log` read them,
`wording` says them. Called by the API and the pages.
"""
