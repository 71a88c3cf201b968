"""The tables of the project itself: partners and their keys.

Only `compliance.actions` writes here.
"""

from compliance.models.partner import Partner
from compliance.models.partner_key import PartnerKey

__all__ = ["Partner", "PartnerKey"]
