"""Commands of the public site, and the file format of its translations."""
