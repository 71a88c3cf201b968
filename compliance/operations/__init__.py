"""Metrics and logs of every process.

Metrics, access log, the form of log lines, tracing, error reports, job counts. The lowest folder of the room:
all other code may call it. `logs` imports no Django.
"""
