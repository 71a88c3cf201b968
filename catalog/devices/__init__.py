"""Exact models of power banks with brands, certifications and certificates, and possible duplicates.

Nothing is inferred from a brand.
"""
