"""The page for developers, `/developers`: how to ask from your own program, and how to do it safely.

It is in English, as the contract is. Every piece of code on it is a file of `snippets/`, which a test
executes.
"""
