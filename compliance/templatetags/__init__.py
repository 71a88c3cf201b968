"""Tags of templates of the desk."""
