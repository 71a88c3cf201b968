"""`make same`: are the answers of this version those of another one?"""
