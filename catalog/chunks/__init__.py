"""Work that is cut into chunks, which any worker takes.

Called by pages, watched trips and bulk verification.
"""
