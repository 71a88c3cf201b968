"""`make check` and `make audit`: licenses, pins and known flaws of the requirements."""
