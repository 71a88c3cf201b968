"""The files of the service are for its own account."""

import stat
from pathlib import Path

from compliance.services import private_files


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_folder_is_private(tmp_path: Path) -> None:
    private_files.make(tmp_path / "one" / "two")
    assert mode(tmp_path / "one" / "two") == 0o700


def test_what_an_earlier_version_left_open_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    (folder / "spool" / "deep").mkdir(parents=True)
    for name in ("secrets", "spool/deep/line", "ours-not.txt"):
        (folder / name).touch(mode=0o644)
    for path in (folder, folder / "spool", folder / "spool" / "deep"):
        path.chmod(0o755)
    private_files.make(folder)
    assert [mode(path) for path in (folder, folder / "spool", folder / "spool" / "deep")] == [0o700] * 3
    assert [mode(folder / name) for name in ("secrets", "spool/deep/line")] == [0o600] * 2
    # Nobody reaches it any more, and it stays what its owner made it.
    assert mode(folder / "ours-not.txt") == 0o644


def test_a_folder_that_everyone_shares_stays_open(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    (tmp_path / "secrets").touch(mode=0o644)
    private_files.make(tmp_path)
    assert mode(tmp_path) == 0o1777
    assert mode(tmp_path / "secrets") == 0o600


def test_a_link_leads_nowhere_else(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.touch(mode=0o644)
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "spool").symlink_to(elsewhere)
    private_files.make(tmp_path / "var")
    assert mode(elsewhere) == 0o644
