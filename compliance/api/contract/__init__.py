"""The published contract: OpenAPI 3.1, made from the code, kept as a reviewed file, served as that file.

`generator` walks the addresses and asks each view for its `operation`; `schemas`, `problems` and `headers`
describe what travels; `examples` asks the application itself. `manage.py contract` writes the result to
`docs/contract/openapi.yaml` and `views` serves exactly those bytes.
"""
