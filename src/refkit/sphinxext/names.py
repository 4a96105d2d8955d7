"""Names of folders and anchors made from citation keys: safe anywhere, unique without regard to case."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Container, Iterable

#: A key that may name a folder as it stands.
_PLAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.+-]{0,98}[A-Za-z0-9_+-])?\Z")
_OTHER = re.compile(r"[^A-Za-z0-9_.-]+")
#: Names that Windows reserves, with any ending.
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?\Z", re.IGNORECASE)
_LONGEST = 60


def folder_names(keys: Iterable[str]) -> dict[str, str]:
    """The folder of each key: the key itself where it is a plain file name, else a readable form and a
    digest.

    Where keys differ by case only, all but the one in lower case get a digest, so that a name depends on no
    order.
    """
    wanted = list(dict.fromkeys(keys))
    count: dict[str, int] = {}
    for key in wanted:
        count[key.casefold()] = count.get(key.casefold(), 0) + 1
    return {key: _folder(key, alone=count[key.casefold()] == 1) for key in wanted}


def _folder(key: str, *, alone: bool) -> str:
    plain = _PLAIN.match(key) and not _RESERVED.match(key)
    if plain and (alone or key == key.lower()):
        return key
    stem = readable(key).replace(".", "-")[:_LONGEST].strip("-_")  # no dot: "con.x" is reserved as well
    return f"{stem or 'work'}-{short_digest(key)}"


def is_plain_path(path: str) -> bool:
    """Whether every part of a path may name a folder or file as it stands."""
    return all(_PLAIN.match(part) and not _RESERVED.match(part) for part in path.split("/"))


def short_digest(key: str) -> str:
    """Ten hexadecimal digits that stand for a key."""
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()


def readable(key: str) -> str:
    """A key as plain ASCII of letters, digits, ``-``, ``_`` and ``.``; may be empty."""
    decomposed = unicodedata.normalize("NFKD", key).encode("ascii", "ignore").decode()
    return _OTHER.sub("-", decomposed).strip("-.")


def anchor(key: str, taken: Container[str], prefix: str = "") -> str:
    """An anchor for a key that is not taken on its page: the key's readable form, numbered where it must
    be.
    """
    base = f"{prefix}{readable(key)[:_LONGEST] or 'work'}"
    name, number = base, 2
    while name in taken:
        name, number = f"{base}-{number}", number + 1
    return name
