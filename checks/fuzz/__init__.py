"""`make fuzz`: requests made up from the contract."""
