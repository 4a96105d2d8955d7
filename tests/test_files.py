from __future__ import annotations

import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from refkit import files

#: Adds 1 to a number in a file, 30 times, each time under the lock.
COUNT = """
import sys
from pathlib import Path
from refkit.files import lock, replace
folder = Path(sys.argv[1])
for _ in range(30):
    with lock(folder):
        number = int((folder / "number").read_bytes())
        replace(folder / "number", str(number + 1).encode())
"""


def test_replace_keeps_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(b"old")
    path.chmod(0o640)
    files.replace(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_replace_follows_a_symbolic_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.bib", tmp_path / "link.bib"
    target.write_bytes(b"old")
    link.symlink_to(target)
    files.replace(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_write_if_changed_leaves_an_equal_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(b"same")
    before = path.stat()
    assert not files.write_if_changed(path, b"same")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_lock_leaves_nothing_behind(tmp_path: Path) -> None:
    with files.lock(tmp_path):
        assert [path.name for path in tmp_path.iterdir()] == [files.LOCK_NAME]
    assert not list(tmp_path.iterdir())


def test_a_lock_is_given_back_when_its_holder_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), files.lock(tmp_path):
        _ = 1 / 0
    with files.lock(tmp_path, timeout=0.1):
        pass


def test_a_held_lock_ends_in_an_error_that_names_the_folder(tmp_path: Path) -> None:
    code = "import sys, time; from pathlib import Path; from refkit.files import lock\n"
    code += "with lock(Path(sys.argv[1])): print('held', flush=True); time.sleep(30)"
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(TimeoutError, match=tmp_path.name), files.lock(tmp_path, timeout=0.2):
            pass
        other.kill()
    with files.lock(tmp_path, timeout=5):  # the system took it from the dead process
        pass


def test_locked_processes_lose_no_change(tmp_path: Path) -> None:
    (tmp_path / "number").write_bytes(b"0")
    runs = [subprocess.Popen([sys.executable, "-c", COUNT, str(tmp_path)]) for _ in range(3)]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    assert (tmp_path / "number").read_bytes() == b"90"


def test_replace_all_writes_adds_and_removes(tmp_path: Path) -> None:
    old, new, gone, same = (tmp_path / name for name in ("old", "new", "gone", "same"))
    for path in (old, gone, same):
        path.write_bytes(b"1")
    stamp = same.stat().st_mtime_ns
    assert files.replace_all({old: b"2", new: b"2", gone: None, same: b"1"}) == [old, new, gone]
    assert (old.read_bytes(), new.read_bytes(), gone.exists()) == (b"2", b"2", False)
    assert same.stat().st_mtime_ns == stamp


def test_replace_all_puts_everything_back_when_one_file_cannot_be_written(tmp_path: Path) -> None:
    first, fresh, gone = tmp_path / "first", tmp_path / "fresh", tmp_path / "gone"
    first.write_bytes(b"first")
    gone.write_bytes(b"gone")
    blocked = tmp_path / "missing folder" / "x"
    with pytest.raises(OSError, match="missing folder"):
        files.replace_all({first: b"changed", fresh: b"made", gone: None, blocked: b"never"})
    assert first.read_bytes() == b"first"
    assert not fresh.exists()
    assert gone.read_bytes() == b"gone"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "gone"]


def test_waiting_for_a_lock_ends_soon_after_it_is_free(tmp_path: Path) -> None:
    code = "import sys, time; from pathlib import Path; from refkit.files import lock\n"
    code += "with lock(Path(sys.argv[1])): print('held', flush=True); time.sleep(0.3)"
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        start = time.monotonic()
        with files.lock(tmp_path):
            assert time.monotonic() - start < 5
