"""What each release changed in the policies of airlines and the rules of authorities.

Computed once per release and stored in two tables that only `actions` writes; `selectors` and `log` read
them, `wording` puts them into words. Called by the API and the pages.
"""
