"""Here requests and jobs have the rights of a deployment in the database: what they lack fails a test."""

import pytest


@pytest.fixture(autouse=True)
def _with_the_rights_of_a_deployment(roles_of_the_database: None) -> None:
    """Use the fixture in every test."""
