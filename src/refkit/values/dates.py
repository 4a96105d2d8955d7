"""Dates as bibliographies write them: EDTF (BibLaTeX's ``date``), and ``year`` with a ``month`` in words.

Source: the Extended Date/Time Format of the Library of Congress, level 0 and the parts of level 1 that the
BibLaTeX manual (2.3.8) names: seasons, approximate and uncertain dates, unspecified digits, open and unknown
ends, long years.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple
from unicodedata import combining, normalize

from refkit.values.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

#: How a range ends (or begins) where it has no date there: ``..`` is open, nothing at all is unknown.
Missing = Literal["", "open", "unknown"]


class Date(NamedTuple):
    """A date, or a range of dates. What is not known is ``None``, never 1."""

    #: The year, astronomical: 0 is 1 BC. Of a range the first year that is known.
    year: int
    #: 1 to 12.
    month: int | None = None
    #: 1 to 31.
    day: int | None = None
    #: 21 to 24: spring, summer, autumn, winter (EDTF's numbers). Excludes a month.
    season: int | None = None
    #: ``HH:MM:SS`` with its zone, as written.
    time: str = ""
    #: About this date (EDTF ``~`` and ``%``).
    circa: bool = False
    #: Perhaps this date (EDTF ``?`` and ``%``).
    uncertain: bool = False
    #: How many of the last digits of the year are unspecified: 1 for ``199X``.
    unspecified: int = 0
    #: The end of a range.
    until: Date | None = None
    #: Set for a range without a beginning: this date is its end.
    opens: Missing = ""
    #: Set for a range without an end: this date is its beginning.
    closes: Missing = ""

    @property
    def is_range(self) -> bool:
        """Whether it is a range, with or without dates at both ends."""
        return bool(self.until or self.opens or self.closes)

    @property
    def start(self) -> Date | None:
        """The beginning alone; ``None`` where a range has none."""
        return None if self.opens else self._replace(until=None, closes="")

    @property
    def end(self) -> Date | None:
        """The end alone, which for a single date is the date itself; ``None`` where a range has none."""
        if self.closes:
            return None
        return self.until or self._replace(opens="")

    @property
    def iso(self) -> str:
        """EDTF: ``2024-05-17``, ``2024-05/2024-06``, ``2024/..``."""
        point = self._point()
        if self.opens:
            return f"{_WRITTEN[self.opens]}/{point}"
        if self.closes:
            return f"{point}/{_WRITTEN[self.closes]}"
        return f"{point}/{self.until.iso}" if self.until else point

    def _point(self) -> str:
        text = _year_text(self.year)
        if self.unspecified:
            text = text[: -self.unspecified] + "X" * self.unspecified
        part = self.month or self.season
        if part:
            text += f"-{part:02d}"
            if self.day:
                text += f"-{self.day:02d}"
        if self.time:
            text += f"T{self.time}"
        return text + (
            "%" if self.circa and self.uncertain else "~" if self.circa else "?" if self.uncertain else ""
        )

    def date_parts(self) -> list[list[int]]:
        """CSL's ``date-parts``: one list, two for a range; a decade is the range of its years."""
        if self.unspecified and not self.is_range:
            return [[self.year], [self.year + 10**self.unspecified - 1]]
        return [point.parts() for point in (self, self.until) if point is not None]

    def parts(self) -> list[int]:
        """Year, month, day of the first date, as many as are known."""
        parts = [self.year]
        if self.month:
            parts.append(self.month)
            if self.day:
                parts.append(self.day)
        return parts

    @property
    def ris(self) -> str:
        """RIS's ``YYYY/MM/DD/`` of the first date, with an empty place for what is not known."""
        month = f"{self.month:02d}" if self.month else ""
        day = f"{self.day:02d}" if self.month and self.day else ""
        return f"{self.year:04d}/{month}/{day}/"


_WRITTEN = {"open": "..", "unknown": ""}


def _year_text(year: int) -> str:
    if -9999 <= year <= 9999:
        return f"{year:04d}" if year >= 0 else f"-{-year:04d}"
    return f"Y{year}"


# -- EDTF ----------------------------------------------------------------------------------------------------

_POINT = r"""(?xa)
    (?: (?P<long> [Yy]-?[1-9]\d{4,8}) | (?P<year> -?(?:\d{4}|\d{3}X|\d{2}XX|\dXXX)))
    (?: -(?P<month> \d\d|XX)
        (?: -(?P<day> \d\d|XX)
            (?: [T\ ](?P<time> [0-9:.]{5,15}(?:Z|[+-]\d\d(?::?\d\d)?)?) )? )? )?
    (?P<mark> [?~%])?
"""
_TIME = r"(?a)([01]\d|2[0-4]):([0-5]\d)(?::([0-5]\d|60)(?:\.\d+)?)?(?:Z|[+-](\d\d)(?::?([0-5]\d))?)?"
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def parse(text: str) -> Date | None:
    """Reads an EDTF date or range; ``None`` where the text is not one (13th month, 30 February,
    ``2024-5-7``)."""
    text = text.strip()
    before, slash, after = text.partition("/")
    if not slash:
        return _parse_point(text)
    before, after = before.strip(), after.strip()
    start, end = _parse_point(before), _parse_point(after)
    if start and end:
        return start._replace(until=end)
    if start and after in _MISSING:
        return start._replace(closes=_MISSING[after])
    if end and before in _MISSING:
        return end._replace(opens=_MISSING[before])
    return None


_MISSING: dict[str, Missing] = {"..": "open", "": "unknown"}


def _parse_point(text: str) -> Date | None:
    found = pattern(_POINT).fullmatch(text)
    if found is None:
        return None
    long, digits, month, day, time, mark = found.group("long", "year", "month", "day", "time", "mark")
    unspecified = digits.count("X") if digits else 0
    if unspecified and month:
        return None
    year = int(long[1:]) if long else int(digits.replace("X", "0"))
    return _checked(
        year,
        None if month in (None, "XX") else int(month),
        None if day in (None, "XX") else int(day),
        time or "",
        circa=mark in ("~", "%"),
        uncertain=mark in ("?", "%"),
        unspecified=unspecified,
    )


def _checked(
    year: int,
    month: int | None,
    day: int | None,
    time: str,
    *,
    circa: bool = False,
    uncertain: bool = False,
    unspecified: int = 0,
) -> Date | None:
    season = month if month is not None and 21 <= month <= 24 else None
    if season:
        return None if day else Date(year, season=season, circa=circa, uncertain=uncertain)
    if month is not None and not 1 <= month <= 12:
        return None
    if day is not None and (month is None or not valid_day(year, month, day)):
        return None
    if time and (day is None or not _valid_time(time)):
        return None
    return Date(year, month, day, None, time, circa, uncertain, unspecified)


def _valid_time(time: str) -> bool:
    found = pattern(_TIME).fullmatch(time)
    return found is not None and (found[4] is None or int(found[4]) <= 14)


def valid_day(year: int, month: int, day: int) -> bool:
    """Whether the proleptic Gregorian calendar has that day."""
    if (month, day) == (2, 29):
        return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1]


# -- year, month and day in words ----------------------------------------------------------------------------

# January to December. A name is known by any beginning that no other month shares, so abbreviations need no
# list.
_MONTH_NAMES = """
january february march april may june july august september october november december
januar februar märz april mai juni juli august september oktober november dezember
jänner feber maerz april mai juni juli august september oktober november dezember
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
januari februari maart april mei juni juli augustus september oktober november december
januari februari mars april maj juni juli augusti september oktober november december
januar februar marts april maj juni juli august september oktober november desember
tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu
styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
leden únor březen duben květen červen červenec srpen září říjen listopad prosinec
ledna února března dubna května června července srpna září října listopadu prosince
január február marec apríl máj jún júl august september október november december
január február március április május június július augusztus szeptember október november december
ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος \
δεκέμβριος
январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень
"""
_SEASON_NAMES = """
spring summer autumn winter
springtime summertime fall wintertime
frühling sommer herbst winter
frühjahr sommer herbst winter
printemps été automne hiver
primavera verano otoño invierno
primavera estate autunno inverno
primavera verão outono inverno
lente zomer herfst winter
vår sommar höst vinter
"""
#: January to December as BibTeX's standard styles name the macros.
MACROS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ENGLISH = (
    {macro: number for number, macro in enumerate(MACROS, 1)}
    | {name: number for number, name in enumerate(_MONTH_NAMES.split()[:12], 1)}
    | {"sept": 9, "spring": 21, "summer": 22, "autumn": 23, "fall": 23, "winter": 24}
)
#: Abbreviations that are no beginnings of names.
_SHORT = {"jly": 7, "mrz": 3, "mrt": 3}


def _named(word: str) -> int | None:
    """The month (1 to 12) or season (21 to 24) that a word means."""
    number = _ENGLISH.get(word.lower())
    return number if number is not None else _names().get(_folded(word))


@lru_cache(maxsize=1)
def _names() -> dict[str, int]:
    """Every name and each beginning of three letters or more that means one month only; seasons in full."""
    full: dict[str, int] = {}
    meanings: dict[str, set[int]] = {}
    for line in _MONTH_NAMES.strip().splitlines():
        for number, word in enumerate(map(_folded, line.split()), 1):
            full.setdefault(word, number)
            for length in range(3, len(word)):
                meanings.setdefault(word[:length], set()).add(number)
    for line in _SEASON_NAMES.strip().splitlines():
        for number, word in enumerate(map(_folded, line.split()), 21):
            full.setdefault(word, number)
    return {word: min(numbers) for word, numbers in meanings.items() if len(numbers) == 1} | full | _SHORT


def _folded(word: str) -> str:
    """Lower case without accents, for comparison."""
    return "".join(char for char in normalize("NFD", word.casefold()) if not combining(char))


def month_number(text: str) -> int | None:
    """The month (1 to 12) that a name, abbreviation, macro or number means, in any of many languages."""
    text = text.strip().rstrip(".")
    number = int(text[:4]) if text.isascii() and text.isdigit() else _named(text)
    return number if number is not None and 1 <= number <= 12 else None


_YEAR = r"(?<![\d.])(-?[1-9]\d{3})(?:[a-z](?![^\W_]))?(?![\d.]\d|\d)"
_YEAR_RANGE = r"(?<!\d)([1-9]\d{3})\s?(?:/|-{1,3}|–|—)\s?([1-9]\d{3})(?!\d)"
#: ``1999-00``, ``2003/04``: a year and the last digits of another.
_YEAR_AND_NEXT = _YEAR + r"(?:\s?(?:/|-{1,3}|–|—)\s?\d{1,2}(?!\d))?"
#: Where that is a range for sure: 12 and less may be a month.
_SHORT_END = r"[1-9]\d{3}\s?(?:(?:--|---|–|—)\s?(\d\d?)|[-/]\s?(1[3-9]|[2-9]\d|00))(?!\s?[\d/–—-])"
#: ``1992-``
_NO_END = r"[1-9]\d{3}\s?(?:-{1,3}|–|—)\s*\Z"
_CIRCA = r"(?i)(?<!\w)(?:c|ca|circa|about|around|approx|um|env|vers)\b|~"
_PARTS = r"(?P<number>\d+)(?:st|nd|rd|th|er|º|ª|e|\.)?(?!\w)|(?P<word>[^\W\d_]+)"
_CJK = r"(?<!\d)(1[0-2]|[1-9])\s?[月월](?:\s?(3[01]|[12]\d|[1-9])\s?[日일])?"
_NUMERIC = r"(?a)(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2}))?"


#: The members behind the year of a date that is only a year.
_NO_MORE = Date(0)[1:]


def of(date: str, year: str, month: str, day: str) -> Date | None:
    """The date of an entry from the texts of its fields; each may be empty, and the month may be raw TeX.

    ``date`` comes first, as EDTF or else in words. A year is taken only where the text holds exactly one
    (``c. 1999``, ``2020a``, but not ``in press``); a month and a day only where they are certain. Of months
    and days that are a range (``May/June``, ``10--12 June``) the first is taken.
    """
    found = parse(date) or _in_words(date) if date else None
    if found is not None:
        return found
    found = _year(year)
    if found is None or not month:
        return found
    number = _ENGLISH.get(month.lower())  # what most files have
    if number is not None and number <= 12 and not day and found == (found.year, *_NO_MORE):
        return Date(found.year, number)
    return _refined(found, month, day)


#: The text of a ``day`` field: a day, or a range of them.
_DAY_FIELD = r"\s*+([0-9]{1,4}+)[\s.]*+(?:[-–/]++\s*+[0-9]{1,2}+[\s.]*+)?\Z"


def _refined(date: Date, month: str, day: str) -> Date:
    """A year with the month and day that the texts name, so far as they are certain."""
    if date.month or date.season or date.is_range or date.unspecified:
        return date
    number, number_of_day = _month_and_day(_plain(month))
    if number is None:
        return date
    if number > 12:
        return date._replace(season=number)
    first = pattern(_DAY_FIELD).match(day)
    if first:
        number_of_day = int(first[1])
    if number_of_day is not None and not valid_day(date.year, number, number_of_day):
        number_of_day = None
    return date._replace(month=number, day=number_of_day)


def of_parts(parts: Sequence[Sequence[object]]) -> Date | None:
    """The date of CSL's ``date-parts``: numbers or texts, ``null`` where unknown, excess parts passed
    over."""
    points = [point for point in map(_of_part, parts[:2]) if point is not None]
    if not points:
        return None
    return points[0]._replace(until=points[1]) if len(points) == 2 else points[0]


def _of_part(part: Sequence[object]) -> Date | None:
    numbers: list[int] = []
    for value in part[:3]:
        text = str(value).strip()
        if not pattern(r"-?\d{1,9}").fullmatch(text) or not text.isascii():
            break
        numbers.append(int(text))
    if not numbers or numbers == [0]:
        return None
    year, *rest = numbers
    month = rest[0] if rest and 1 <= rest[0] <= 12 else None
    day = rest[1] if month and len(rest) == 2 and valid_day(year, month, rest[1]) else None
    return Date(year, month, day)


def _plain(text: str) -> str:
    if "\\" in text or "{" in text or "~" in text:
        from refkit.values.tex import decode

        return decode(text)
    return text


def _year(text: str) -> Date | None:
    text = text.strip().strip("[]")
    if text.isascii() and text.isdigit():
        return Date(int(text)) if len(text) <= 4 and int(text) else None
    return parse(text) or _year_in_words(text, alone=True)


def _year_in_words(text: str, *, alone: bool) -> Date | None:
    """The only year that a text names; with ``alone``, if it names no other number either."""
    spans = pattern(_YEAR_RANGE).findall(text)
    rest = pattern(_YEAR_RANGE).sub("", text)
    years = set(pattern(_YEAR).findall(rest))
    if len(spans) == 1 and not years and spans[0][0] <= spans[0][1]:
        return Date(int(spans[0][0]), until=Date(int(spans[0][1])))
    if len(years) != 1 or spans or (alone and pattern(r"\d").search(pattern(_YEAR_AND_NEXT).sub("", text))):
        return None
    found = Date(int(years.pop()), circa=bool(pattern(_CIRCA).search(text)), uncertain="?" in text)
    if pattern(_NO_END).search(text):
        return found._replace(closes="open")
    short = pattern(_SHORT_END).search(text)
    return found._replace(until=_completed(found.year, short[1] or short[2])) if short else found


def _completed(year: int, digits: str) -> Date:
    """The year after another of which only the last digits are written: 2001 for 1999 and ``01``."""
    span = 10 ** len(digits)
    end = year - year % span + int(digits)
    return Date(end if end > year else end + span)


def _in_words(text: str) -> Date | None:
    """``17 May 2024``, ``May 2024``, ``Spring 2024``, ``2024/05/17``, ``2024-5-7``."""
    text = _plain(text).strip()
    numeric = pattern(_NUMERIC).fullmatch(text)
    if numeric:
        day = int(numeric[4]) if numeric[4] else None
        return _checked(int(numeric[1]), int(numeric[3]), day, "")
    found = _year_in_words(text, alone=False)
    return None if found is None else _refined(found, pattern(_YEAR).sub(" ", text), "")


def _month_and_day(text: str) -> tuple[int | None, int | None]:
    """The first month (or season) and its first day that the text names."""
    cjk = pattern(_CJK).search(text)
    if cjk:
        return int(cjk[1]), int(cjk[2]) if cjk[2] else None
    numbers: list[int] = []
    before = 0
    month: int | None = None
    for found in pattern(_PARTS).finditer(text):
        if found["number"]:
            numbers.append(int(found["number"][:5]))
        elif month is None:
            month = _named(found["word"])
            before = len(numbers)
        elif _named(found["word"]) is not None:
            numbers = numbers[: before or None]  # "30 June -- 2 July": what follows June is July's
            break
    if month is None:
        return next((number for number in numbers if 1 <= number <= 12), None), None
    # Days stand before the month or behind it: "10--12 June", "June 10--12"; both is no date to be trusted.
    certain = numbers and max(numbers) <= 31 and month <= 12 and before in (0, len(numbers))
    return month, numbers[0] if certain else None
