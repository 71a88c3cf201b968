"""`make check` and `make audit`: licenses, pins and known vulnerabilities of the requirements."""
