"""The documentation for developers, `/developers/…`: how to ask from your own program, and what to rely on.

It is in English, as the contract is, and has one address in all languages. Its pages are files of `docs/` and
`clients/`, read once; their code shows the addresses of this installation. `documents` lists the files. Also
here: the dated changes of the contract, from the changelog, and a search that needs no script.
"""
