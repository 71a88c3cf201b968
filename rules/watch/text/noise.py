"""What a page says of itself and not of batteries: when it was touched, who counts its readers, cookies."""


def without_noise(lines: list[str]) -> list[str]:
    """Return folded lines without those that only say when, by whom or how often a page is read."""
    return [line for line in lines if line.strip()]
