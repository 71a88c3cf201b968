"""The published contract: OpenAPI 3.1, made from the code, kept as a reviewed file, served as that file.

`generator` reads the addresses and the `operation` of each view; `schemas`, `problems` and `headers` describe
requests and answers; `examples` asks the application itself. `manage.py contract` writes the result to
`docs/contract/openapi.yaml` and `views` serves exactly those bytes.
"""
