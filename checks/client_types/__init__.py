"""The types of the clients, as programs that use them see them."""
