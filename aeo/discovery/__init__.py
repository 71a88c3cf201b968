"""What search engines and agents read first.

Manifest, sitemaps, robots.txt, llms.txt, IndexNow; and the job that chooses the indexed pages and records
when their content changed. Above all other slices but the checker and trips.
"""
