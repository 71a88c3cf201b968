"""`/partners`: the pages on which people of partners help themselves.

They see and change what belongs to their own partner: keys, origins, webhooks with their deliveries, watches,
and how much was used. What belongs to another partner does not exist here: it gets 404. The agreement itself
(limit, support terms, receipts) is changed by a partner manager at the desk.

`entering` has invitations and signing out; the other pages of signing in are those of `compliance.signin`.
`pages` lets only people of partners in, and asks before something ends.
"""
