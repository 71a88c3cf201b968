"""The people of a partner: who signs in at `/partners`, and who is invited to.

A partner manager invites a mail address. The mail has a link that works once and for three days; of its
secret only the SHA-256 is stored. The page behind it (`compliance.partner_pages`) sets a password and makes
the account. Such an account is never one of the desk, and an account of the desk is never made a partner's.
"""
