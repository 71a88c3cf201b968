"""The public HTTP contract: one module per resource, over the doors of the other rooms."""
