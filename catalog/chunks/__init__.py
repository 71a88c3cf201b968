"""Work that is cut into chunks, which any worker can do.

Called by pages, watched trips and bulk verification.
"""
