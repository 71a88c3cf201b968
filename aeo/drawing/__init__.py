"""Pictures made on the server: SVG from numbers and words, without Django.

A picture has no colors and no fonts of its own: its parts have classes, and `site.css` gives these a look in
light, dark and print. Beside each picture a page says the same facts in words (`aeo.pages.record.Drawing`).
"""
