"""The normal form of plain text."""

from __future__ import annotations

from unicodedata import is_normalized, normalize

from refkit.values.patterns import pattern

#: Control characters and invisible characters that change nothing but the direction or the breaking of lines.
#: Joiners (U+200C, U+200D) carry meaning in Persian, Hindi and emoji and stay; white space becomes a blank.
_REMOVED = (
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
_SURROGATE = "[\ud800-\udfff]"


def clean(text: str) -> str:
    """NFC, each run of white space one blank, no invisible control characters.

    Lone surrogates, which no encoding can write, become U+FFFD.
    """
    # Of white space only the blank is printable; so what is printable holds nothing to remove.
    if not text.isprintable():
        text = " ".join(without_controls(text).split())
    elif "  " in text or text[:1] == " " or text[-1:] == " ":
        text = " ".join(text.split())
    return text if text.isascii() or is_normalized("NFC", text) else normalize("NFC", text)


def without_controls(text: str) -> str:
    """The text without control and invisible characters; its white space and everything else as it was."""
    if text.isprintable():
        return text
    return pattern(_SURROGATE).sub("\ufffd", pattern(_REMOVED).sub("", text))
