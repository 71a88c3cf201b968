"""Webhooks of the editors' desk: a team's chat or ticket system hears when something waits.

They are webhooks as partners have them (`compliance.partners.webhooks`), without a partner: the same
signature, deliveries, tries and checks of addresses. `happening` reads what there is to tell, `actions`
records the deliveries, `admin` has the screens of publishers. A delivery names records and people, as mails
do, and quotes nothing that people wrote.
"""
