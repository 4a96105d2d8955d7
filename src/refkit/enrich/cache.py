"""What services have answered: one small file for each record, in the user's cache folder.

Only records are kept. That something was not found, or that nobody answered, is not a fact about a work and
is asked again next time. The folder may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

#: Records older than this are asked for again, in seconds (30 days): retractions and publications come later.
MAX_AGE = 30 * 86400


class Kept(NamedTuple):
    """A record as it was kept."""

    payload: Any
    #: When it was fetched, in seconds since the epoch.
    time: float

    @property
    def date(self) -> str:
        """The day (UTC) on which it was fetched, as YYYY-MM-DD."""
        return day(self.time)


def day(seconds: float) -> str:
    """The day (UTC) of a time in seconds since the epoch, as YYYY-MM-DD."""
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def default_folder() -> Path:
    """The user's cache folder for refkit."""
    from platformdirs import user_cache_path

    return user_cache_path("refkit")


class Cache:
    """Records by service and identifier.

    Args:
        folder: made when something is kept first.
        fresh: read nothing, only keep (``--refresh``).
        forever: take records of any age (``--offline``).
    """

    def __init__(self, folder: Path, *, fresh: bool = False, forever: bool = False) -> None:
        """Nothing is read or made yet."""
        self.folder = folder
        self._fresh = fresh
        self._forever = forever

    def get(self, service: str, id: str) -> Kept | None:
        """The record, unless it is not there, too old or damaged."""
        if self._fresh:
            return None
        try:
            data = json.loads(self._path(service, id).read_bytes())
            kept = Kept(data["payload"], float(data["time"]))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        if data.get("id") != id:
            return None
        age = time.time() - kept.time
        return kept if self._forever or 0 <= age < MAX_AGE else None

    def put(self, service: str, id: str, payload: Any) -> Kept:
        """Keep a record that was fetched just now. That it cannot be written is no error."""
        kept = Kept(payload, time.time())
        path = self._path(service, id)
        text = json.dumps({"id": id, "time": kept.time, "payload": payload}, ensure_ascii=False)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
            with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
                file.write(text)
            Path(name).replace(path)
        return kept

    def _path(self, service: str, id: str) -> Path:
        """Where a record lies. An identifier is foreign text and never becomes a file name."""
        name = hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()
        return self.folder / "records" / service / name[:2] / f"{name[2:34]}.json"
