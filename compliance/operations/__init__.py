"""What every process counts and logs.

Metrics, access log, the form of log lines, tracing, error reports, job counts. The lowest folder of the room:
everything may call it. `logs` imports no Django.
"""
