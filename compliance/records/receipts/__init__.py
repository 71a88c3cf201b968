"""Signed receipts: whoever keeps an answer with its receipt can prove, to anybody, that it was ours.

`canonical` says which bytes an answer is, `jws` puts a signature on them, `keys` knows who signs, and
`check` tells what a stored answer is still worth. `docs/receipts.md` tells the same to clients.
"""
