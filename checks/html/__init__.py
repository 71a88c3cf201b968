"""`make html`: pages held against the HTML standard and the API."""
