"""The publisher without verdict cases, which ask about the starter corpus: for ledgers of tests."""

from unittest.mock import patch

import django

django.setup()

from compliance import publisher  # noqa: E402
from rules.publishing import candidate  # noqa: E402

if __name__ == "__main__":
    with patch.object(candidate, "cases_in_force", tuple):
        publisher.main()
