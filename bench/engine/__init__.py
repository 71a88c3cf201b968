"""What a verdict costs within the process."""
