"""Admin screens of partners, keys, webhooks and deliveries."""
