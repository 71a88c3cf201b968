"""The tables of the project itself: partners and their keys, and the verdict log.

Only `compliance.actions` writes here.
"""

from compliance.models.partner import Partner
from compliance.models.partner_key import PartnerKey
from compliance.models.verdict_record import VerdictRecord

__all__ = ["Partner", "PartnerKey", "VerdictRecord"]
