"""Finds what is odd in the draft rules: gaps, contradictions, idle rules.

`checks` is pure; `report` runs all of it as a job and caches it. Editors fix a finding, or accept it with a
reason. Decides no verdict. Called by the desk and `manage.py corpus check`.
"""
