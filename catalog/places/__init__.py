"""Countries and jurisdictions. They come with the starter corpus; editors only read them."""
