"""The printed table of all trials."""

from collections.abc import Sequence

from checks.chaos.trial import Row

HEADINGS = (
    "fault",
    "requests",
    "wrong answers",
    "undocumented errors",
    "lost log rows",
    "time to heal",
    "refused (503)",
    "cut off",
)
SHOWN = 5
"""How many different complaints of a trial are shown."""


def lines(rows: Sequence[Row]) -> list[str]:
    """Return the table, and below each row its problems."""
    cells = [_cells(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(HEADINGS, *cells, strict=True)]
    table = [_line(HEADINGS, widths)]
    for row, cell in zip(rows, cells, strict=True):
        table.append(_line(cell, widths))
        table += [f"    {problem}" for problem in row.problems]
        table += [f"    {count} times: {text}" for text, count in row.judgment.complaints.most_common(SHOWN)]
    return table


def _cells(row: Row) -> tuple[str, ...]:
    judgment = row.judgment
    return (
        row.name,
        str(judgment.requests),
        str(judgment.wrong),
        str(judgment.undocumented),
        str(row.lost),
        "never" if row.healed_seconds is None else f"{row.healed_seconds:.1f} s",
        str(judgment.refused),
        str(judgment.cut_off),
    )


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return "  ".join([first, *(other.strip().rjust(len(other)) for other in others)])
