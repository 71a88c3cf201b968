"""Which group has which permissions: one table, and the action that writes it after every migration."""
