"""Macros of ``@string`` and those that every style defines; values put together from pieces.

Sizes are bounded: ten lines of ``@string`` can ask for ten thousand million characters.
"""

from __future__ import annotations

from refkit.bibtex.grammar import Macro, Value

#: The longest value that macros may make.
MAX_VALUE = 1_000_000

#: The months, as plain.bst and its kin define them.
MONTHS = {
    "jan": "January", "feb": "February", "mar": "March", "apr": "April", "may": "May", "jun": "June",
    "jul": "July", "aug": "August", "sep": "September", "oct": "October", "nov": "November",
    "dec": "December",
}  # fmt: skip

#: Journals that plain.bst defines; biber does not know them.
CLASSIC = {
    "acmcs": "ACM Computing Surveys",
    "acta": "Acta Informatica",
    "cacm": "Communications of the ACM",
    "ibmjrd": "IBM Journal of Research and Development",
    "ibmsj": "IBM Systems Journal",
    "ieeese": "IEEE Transactions on Software Engineering",
    "ieeetc": "IEEE Transactions on Computers",
    "ieeetcad": "IEEE Transactions on Computer-Aided Design of Integrated Circuits",
    "ipl": "Information Processing Letters",
    "jacm": "Journal of the ACM",
    "jcss": "Journal of Computer and System Sciences",
    "scp": "Science of Computer Programming",
    "sicomp": "SIAM Journal on Computing",
    "tocs": "ACM Transactions on Computer Systems",
    "tods": "ACM Transactions on Database Systems",
    "tog": "ACM Transactions on Graphics",
    "toms": "ACM Transactions on Mathematical Software",
    "toois": "ACM Transactions on Office Information Systems",
    "toplas": "ACM Transactions on Programming Languages and Systems",
    "tcs": "Theoretical Computer Science",
}


class TooLongError(Exception):
    """A value would be longer than `MAX_VALUE`, or all of them together too long."""


class Macros:
    """The macros that are defined so far, over all files of a bibliography; names are case-insensitive."""

    def __init__(self, budget: int = 64_000_000) -> None:
        """None but the months. ``budget`` bounds the characters of all values that macros make."""
        #: Lower-case name -> value; None for one that is too long.
        self.values: dict[str, str | None] = dict(MONTHS)
        self._budget = budget

    def allow(self, characters: int) -> None:
        """Let the values that macros make have so many characters more, all together."""
        self._budget += characters

    def unknown(self, value: Value) -> list[Macro]:
        """The macros of a value that are not defined so far."""
        pieces = value if isinstance(value, list) else (value,)
        return [piece for piece in pieces if isinstance(piece, Macro) and piece.lower() not in self.values]

    def expand(self, value: Value) -> str:
        """The text of a value, white space as it stands.

        An undefined macro in a join is the empty text, as in BibTeX; alone it stands for its own name, for it
        is most often a word whose braces were forgotten.

        Raises:
            TooLongError: a macro has made it too long.
        """
        if isinstance(value, Macro):
            return self._count(self._value(value, str(value)))
        if isinstance(value, str):
            return value
        texts = [self._value(piece, "") if isinstance(piece, Macro) else piece for piece in value]
        if sum(map(len, texts)) > MAX_VALUE:
            raise TooLongError
        return self._count("".join(texts))

    def _value(self, macro: Macro, default: str) -> str:
        name = macro.lower()
        found = self.values.get(name, CLASSIC.get(name, default))
        if found is None:
            raise TooLongError
        return found

    def _count(self, text: str) -> str:
        self._budget -= len(text)
        if self._budget < 0:
            raise TooLongError
        return text
