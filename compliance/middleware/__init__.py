"""All middleware of the service, in the order of a request.

Response headers, CORS, request envelope, probes, fast path, page cache, pages, admin. Settings list them.
`server_refusals` answers when the web server refuses a request before Django sees it.
"""
