"""Reading files of records: strict, row by row, so that a bad row can be named.

Each file is a JSON array with one record in each row. Nothing here writes to the database;
`compliance.starter_corpus.seeding` does.
"""

from pathlib import Path
from typing import Any

import msgspec

from catalog import records
from rules.cases import CaseError, load_cases
from rules.cases.reading import DIRECTORY

STARTER_CORPUS = Path(__file__).parent


class CannotLoad(Exception):
    """A file or a row that cannot be loaded.

    The text names the file, the row if there is one, and the reason.
    """


class Rows:
    """The records of one file by their ids, and the row of each, counted from 1.

    `key` is the field of the id.
    """

    def __init__(self, name: str, key: str) -> None:
        self.name = name
        self.key = key
        self.records: dict[str, Any] = {}
        self._row_of: dict[str, int] = {}

    def add(self, row: int, record: Any) -> None:
        """Add the next record. Raises `CannotLoad` if an earlier row has its id."""
        record_id = getattr(record, self.key)
        if record_id in self.records:
            earlier = self._row_of[record_id]
            raise CannotLoad(f"{self.name}, row {row} ({record_id}): the same id stands in row {earlier}.")
        self.records[record_id] = record
        self._row_of[record_id] = row

    def refusal(self, record_id: str, reason: str) -> CannotLoad:
        """Return the error that refuses one of the records."""
        return CannotLoad(f"{self.name}, row {self._row_of[record_id]} ({record_id}): {reason}.")


def read(file: Path, record_type: type[records.Record], key: str) -> Rows:
    """Read a file of records. Raises `CannotLoad` if it is not JSON, not an array, or not such records."""
    rows = Rows(file.name, key)
    for row, raw in enumerate(_raw_rows(file), start=1):
        try:
            rows.add(row, msgspec.json.decode(raw, type=record_type))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CannotLoad(f"{file.name}, row {row}{_named(raw, key)}: {error}.") from error
    return rows


def cases_of(folder: Path) -> Path:
    """Return the folder of the verdict cases that come with a corpus."""
    return DIRECTORY if folder == STARTER_CORPUS else folder / "cases"


def read_cases(folder: Path) -> Rows:
    """Read the verdict cases of a corpus; none if it has no folder of them. Raises `CannotLoad`."""
    rows, at = Rows("cases", "name"), cases_of(folder)
    try:
        for row, case in enumerate(load_cases(at) if at.is_dir() else (), start=1):
            rows.add(row, case)
    except CaseError as error:
        raise CannotLoad(f"{error}.") from error
    return rows


def _raw_rows(file: Path) -> list[msgspec.Raw]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[msgspec.Raw])
    except OSError as error:
        raise CannotLoad(f"{file.name}: the file cannot be read: {error.strerror}.") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CannotLoad(f"{file.name}: the file is not a JSON array of rows: {error}.") from error


def _named(raw: msgspec.Raw, key: str) -> str:
    """Return the id of a row that cannot be read as a record, in parentheses; nothing if it has no id."""
    try:
        record_id = msgspec.json.decode(raw, type=dict[str, Any]).get(key)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""
    return f" ({record_id})" if isinstance(record_id, str) else ""
