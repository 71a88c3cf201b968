"""The web server of `make run` with the views for comparison: `python -m bench.http.server`.

DJANGO_SETTINGS_MODULE must name `bench.http.settings`. Its first line of output gives its address.
"""

from compliance.services import ports, web

if __name__ == "__main__":
    # The kernel gives a free port for 0.
    with ports.claim(0) as listener:
        web.serve(listener)
