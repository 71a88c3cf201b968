"""The only writers of partners and keys. The admin and `manage.py partner` call them."""
