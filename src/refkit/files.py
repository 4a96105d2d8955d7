"""Writing files so that none is ever left half-written, and none is touched that need not change."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_if_changed(path: Path, data: bytes) -> bool:
    """Write a file unless it has these bytes already; returns whether it was written."""
    try:
        if path.read_bytes() == data:
            return False
    except FileNotFoundError:
        pass
    replace(path, data)
    return True


def replace(path: Path, data: bytes) -> None:
    """Replace a file at once: a temporary file beside it, flushed to the disk, takes its name.

    Permissions are kept; a symbolic link is followed, so that it still is one afterwards.

    Raises:
        OSError: the file cannot be written; it is as it was.
    """
    path = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
