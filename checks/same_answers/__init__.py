"""`make same`: does this version give the same answers as another one?"""
