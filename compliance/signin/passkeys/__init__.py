"""Passkeys: a second factor that no one can read off a screen or send to a wrong site (WebAuthn).

A person who has an app for codes may add passkeys, and give one of them in place of a code. The page of a
step contains what the browser needs, and its script puts the browser's answer into the page's own form; so
steps are forms with tokens, as all others. WebAuthn knows no IP addresses: on this machine passkeys work at
`http://localhost`, not at `http://127.0.0.1`.
"""
