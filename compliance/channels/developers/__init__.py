"""The page for developers, `/developers`: how to ask from a program of one's own, and to stay safe.

In English, as the contract is. Every piece of code on it is a file of `snippets/`, which a test executes.
"""
