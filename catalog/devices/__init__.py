"""Exact models of power banks with brands, certifications and certificates, and possible duplicates.

A brand never implies a fact about its models.
"""
