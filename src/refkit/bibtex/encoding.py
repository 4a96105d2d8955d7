"""Bytes of a .bib file to text and back, to the byte.

UTF-8 is expected. A file in another encoding is read, and remembered with that encoding; stray bytes in a
file that is UTF-8 otherwise (two files joined, say) are read one by one and remembered with their places.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left
from typing import NamedTuple

#: Larger files are not read.
MAX_BYTES = 1 << 30

# The mark of UTF-32 (little-endian) begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# JabRef writes "% Encoding: Cp1252", Emacs "-*- coding: latin-1 -*-".
_DECLARED = re.compile(rb"^%+[^\n]{0,80}?\b(?:encoding|coding)\s*[:=]\s*([\w.-]{1,40})", re.I | re.M)
_STRAY = re.compile("[\udc80-\udcff]")
# Bytes that are control characters in Latin-1; cp1252 has letters and quotes there.
_C1 = re.compile(rb"[\x80-\x9f]")


class UnreadableError(Exception):
    """The input is no .bib file: the message says what it is and what to do."""


class Decoded(NamedTuple):
    """A text, and what is needed to get its bytes back."""

    text: str
    #: Codec of the text, but for the characters at `strays`.
    encoding: str = "utf-8"
    #: Positions of characters that were single bytes of cp1252 in a UTF-8 file, in order.
    strays: tuple[int, ...] = ()
    #: What a person should know about the encoding, and the position that it is about; "" if nothing.
    message: str = ""
    at: int = 0

    def encode(self, start: int = 0, end: int | None = None) -> bytes:
        """The bytes of ``text[start:end]`` as they were read."""
        end = len(self.text) if end is None else end
        data = bytearray()
        for at in self.strays[bisect_left(self.strays, start) : bisect_left(self.strays, end)]:
            data += self.text[start:at].encode(self.encoding)
            data += _byte(self.text[at])
            start = at + 1
        data += self.text[start:end].encode(self.encoding)
        return bytes(data)


def decode(data: bytes, file: str = "") -> Decoded:
    """Read bytes as text. A byte order mark stays the text's first character, so that nothing moves.

    Raises:
        UnreadableError: the data is not text, or too large; the message begins with the file's name.
    """
    file = file or "the input"
    if len(data) > MAX_BYTES:
        msg = f"{file} has {len(data):,} bytes, more than the {MAX_BYTES:,} that are read: split it"
        raise UnreadableError(msg)
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data, encoding, file)
    if b"\0" in data[:4096]:
        msg = f"{file} is not text (it holds null bytes): give a .bib file, saved as UTF-8"
        raise UnreadableError(msg)
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError:
        return _other(data)


def _marked(data: bytes, encoding: str, file: str) -> Decoded:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        msg = f"{file} begins like {encoding.upper()} but is not: {error.reason} at byte {error.start}"
        raise UnreadableError(msg) from error
    message = f"the file is {encoding.upper()}, which BibTeX cannot read: save it as UTF-8"
    return Decoded(text, encoding, (), message)


def _other(data: bytes) -> Decoded:
    """Text that is not UTF-8: in one other encoding, or in UTF-8 with stray bytes."""
    text = data.decode("utf-8", "surrogateescape")
    strays = [match.start() for match in _STRAY.finditer(text)]
    at = strays[0]
    declared = _declared(data)
    if declared:
        decoded = data.decode(declared)
        return Decoded(decoded, declared, (), _advice(declared, "as it says itself"), at)
    if not data.startswith(codecs.BOM_UTF8) and _mostly(text, len(strays)):
        encoding = _single_byte(data)
        return Decoded(data.decode(encoding), encoding, (), _advice(encoding, "as its bytes suggest"), at)
    characters = {char: _character(char) for char in {text[place] for place in strays}}
    fixed = _STRAY.sub(lambda match: characters[match[0]], text)
    message = (
        f"{len(strays)} bytes are not UTF-8 and were read as cp1252, the first here: save the file as UTF-8"
    )
    return Decoded(fixed, "utf-8", tuple(strays), message, at)


def _mostly(text: str, strays: int) -> bool:
    """Whether a text with so many stray bytes has no more than an accidental share of real UTF-8."""
    # Bytes beyond the first of each character.
    genuine = len(text.encode("utf-8", "surrogateescape")) - len(text)
    return genuine == 0 or genuine * 20 < strays


def _declared(data: bytes) -> str:
    match = _DECLARED.search(data[:2048])
    if match is None:
        return ""
    try:
        name = codecs.lookup(match[1].decode("ascii")).name
        if data.decode(name).encode(name) != data:
            return ""
    except (LookupError, UnicodeError):
        return ""
    return "" if name in ("utf-8", "utf-7") else name


def _single_byte(data: bytes) -> str:
    if not _C1.search(data):
        return "iso8859-1"
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return "iso8859-1"
    return "cp1252"


def _advice(encoding: str, why: str) -> str:
    name = {"iso8859-1": "Latin-1"}.get(encoding, encoding)
    return f"the file is not UTF-8; it was read as {name}, {why}: save it as UTF-8"


def _character(stray: str) -> str:
    byte = bytes((ord(stray) - 0xDC00,))
    try:
        return byte.decode("cp1252")
    except UnicodeDecodeError:
        return byte.decode("latin-1")


def _byte(char: str) -> bytes:
    try:
        return char.encode("cp1252")
    except UnicodeEncodeError:
        return char.encode("latin-1")
