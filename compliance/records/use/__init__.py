"""What the service is used for, counted once a day from the verdict log: by partner, by route, by model."""
