"""The two places where people sign in: the desk, and the pages of partners.

An account belongs to one of them. At the other one its session counts as none. The pages of signing in are
the same for both (`urls`); each place has its own templates, addresses and first page.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse

from compliance.operations.accounting import is_for_partners
from compliance.partners.people.models import PartnerPerson


@dataclass(frozen=True)
class Place:
    """A place. `home`, `sign_in` and `sign_out` are names of its addresses.

    `namespace` has those of the pages of signing in; `templates` is the folder of theirs. `admits` says
    whether an account, or `AnonymousUser`, belongs to the place.
    """

    namespace: str
    home: str
    sign_in: str
    sign_out: str
    templates: str
    admits: Callable[[Any], bool]

    def page(self, name: str) -> str:
        """Return the address of a page of signing in."""
        return reverse(f"{self.namespace}:{name}")

    def template(self, name: str) -> str:
        """Return the template of a page of signing in."""
        return f"{self.templates}/{name}.html"


def person_of(user: Any) -> PartnerPerson | None:
    """Return who an account is at an open partner; None for all others. One query, none for the desk's."""
    if not user.is_active or user.is_staff or user.is_superuser:
        return None
    people = PartnerPerson.objects.select_related("partner", "user")
    return people.filter(user=user, removed_at=None, partner__closed_at=None).first()


def is_of_a_partner(user: User) -> bool:
    """Say whether an account was made for a person of a partner, also of one who was removed."""
    return PartnerPerson.objects.filter(user=user).exists()


def _is_of_the_desk(user: Any) -> bool:
    return bool(user.is_active and user.is_staff)


def _is_a_person(user: Any) -> bool:
    return person_of(user) is not None


DESK = Place("signin", "admin:index", "admin:login", "admin:logout", "admin/sign_in", _is_of_the_desk)
PARTNERS = Place(
    "partner-signin", "partners:home", "partners:sign-in", "partners:sign-out", "partners", _is_a_person
)


def place_of(request: HttpRequest) -> Place:
    """Return the place of a request."""
    return PARTNERS if is_for_partners(request.path_info) else DESK


def place_of_user(user: Any) -> Place:
    """Return the place at which an account signs in: the desk, unless it is a partner's."""
    return PARTNERS if _is_a_person(user) else DESK
