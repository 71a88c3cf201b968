"""What search engines and agents read first.

Manifest, sitemaps, robots.txt, llms.txt and IndexNow; also the job that chooses the indexed pages and records
when their content changed. It may import all other slices except the checker and trips.
"""
