"""`make html`: pages checked against the HTML standard and the API."""
