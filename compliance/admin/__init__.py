"""The admin: partners and their keys, and the people who may sign in. Partners change by verbs alone."""

from compliance.admin.accounts import GroupAdmin, UserAdmin
from compliance.admin.partner_keys import PartnerKeyAdmin
from compliance.admin.partners import PartnerAdmin

__all__ = ["GroupAdmin", "PartnerAdmin", "PartnerKeyAdmin", "UserAdmin"]
