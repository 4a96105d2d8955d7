"""Writing files so that none is ever left half-written, and none is touched that need not change."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

#: Name of the file that a lock is held on; it is there only while the lock is held.
LOCK_NAME = ".refkit.lock"


def write_if_changed(path: Path, data: bytes, *, flush: bool = True) -> bool:
    """Write a file unless it has these bytes already; returns whether it was written.

    ``flush`` as in :func:`replace`.
    """
    try:
        if path.read_bytes() == data:
            return False
    except FileNotFoundError:
        pass
    replace(path, data, flush=flush)
    return True


def replace(path: Path, data: bytes, *, flush: bool = True) -> None:
    """Replace a file at once: a temporary file beside it, flushed to the disk, takes its name.

    What can be made again at any time need not be flushed: it is whole after a crash of the program, and may
    be empty after one of the machine.

    Permissions are kept; a symbolic link is followed, so that it still is one afterwards.

    Raises:
        OSError: the file cannot be written; it is as it was.
    """
    path = path.resolve()
    beside = _beside(path)
    try:
        with open(beside, "xb", opener=_private) as file:
            file.write(data)
            if flush:
                file.flush()
                os.fsync(file.fileno())
        beside.chmod(_mode(path))
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _beside(path: Path) -> Path:
    """A name in the same folder that nothing else uses."""
    return path.with_name(f".{path.name}.{os.urandom(6).hex()}.tmp")


def _private(name: str, flags: int) -> int:
    """Open a file that only its owner may read until it has the permissions of what it replaces."""
    return os.open(name, flags, 0o600)


@contextmanager
def lock(folder: Path, timeout: float = 60.0) -> Iterator[None]:
    """Hold the right to read, change and write the files of a folder against other runs of refkit.

    Whoever reads inside the lock sees all that others wrote. The lock is the operating system's: it ends with
    the process, however that ends. It is not to be taken twice in one process.

    Args:
        folder: the folder of the .bib files; it must be there.
        timeout: seconds to wait for another run.

    Raises:
        TimeoutError: another run still holds the lock.
        OSError: the folder cannot be written.
    """
    from filelock import FileLock, Timeout

    path = folder.resolve() / LOCK_NAME
    held = FileLock(path, timeout=timeout)
    try:
        held.acquire()
    except Timeout as error:
        raise TimeoutError(
            f"{folder}: another run of refkit has been writing here for {timeout:g} s; try again"
        ) from error
    try:
        yield
    finally:
        # Removed while still held: who waits on this file sees that it has no name any more and locks a new
        # one (filelock looks at the number of links). Windows refuses to remove an open file; there it stays.
        with suppress(OSError):
            path.unlink()
        held.release()


@contextmanager
def lock_all(folders: Iterable[Path], timeout: float = 60.0) -> Iterator[None]:
    """Hold the locks of several folders; taken in one order, so that two runs never wait for each other.

    Raises:
        TimeoutError: another run still holds one of them.
        OSError: a folder cannot be written.
    """
    with ExitStack() as held:
        for folder in sorted({folder.resolve() for folder in folders}):
            held.enter_context(lock(folder, timeout))
        yield


def replace_all(contents: Mapping[Path, bytes | None]) -> list[Path]:
    """Replace several files, or none of them: what was replaced before an error is put back.

    No file system replaces several files at once; a crash in the middle can leave some of them new and the
    others old, each of them whole. ``None`` removes a file. Files that have their bytes are not touched.

    Returns:
        The files that changed, in the order given.

    Raises:
        OSError: a file cannot be read or written; all are as they were.
    """
    before = {path: _bytes_or_none(path) for path in contents}
    changed = [path for path, data in contents.items() if data != before[path]]
    done: list[Path] = []
    try:
        for path in changed:
            done.append(path)
            _put(path, contents[path])
    except BaseException:
        for path in reversed(done):
            if _bytes_or_none(path) != before[path]:
                _put(path, before[path])
        raise
    return changed


def _put(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
    else:
        replace(path, data)


def _bytes_or_none(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
