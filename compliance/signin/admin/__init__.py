"""Admin screens of users, groups and second factors."""
