"""`make integrations`: tools that others made, used with the service as their readers would use them."""
