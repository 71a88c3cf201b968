"""The web server of `make run` on a free port, with the comparison views. `python -m bench.server` runs it.

DJANGO_SETTINGS_MODULE must name `bench.settings`. Its first line of output says where it answers.
"""

from compliance.services import ports, web

if __name__ == "__main__":
    # The kernel gives a free port for 0.
    with ports.claim(0) as listener:
        web.serve(listener)
