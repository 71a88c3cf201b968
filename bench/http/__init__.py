"""What HTTP adds: the service against views that do nothing."""
