"""`make fuzz`: requests generated from the contract."""
