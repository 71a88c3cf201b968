"""The clients as packages to install, below `/developers/clients`: wheels for pip, a tarball for npm.

They are made from `clients/` when they are first asked for. The same files always give the same bytes, so
hashes are the same in every process and on every machine with this version of the service.
"""
