"""Names: lists that split wrong, names in the wrong shape, organisations, people spelled in two ways."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from refkit.check import vocabulary
from refkit.check.fold import fold_name
from refkit.check.library import PEOPLE_FIELDS, Library
from refkit.check.model import Finding, rule
from refkit.model import Entry, Person

_ENTRY = "@misc{{lee2024, author = {{{}}}, title = {{Title}}, year = {{2024}}}}".format


@rule("name-list", "error")
def name_list(library: Library) -> Iterator[Finding]:
    """A list of names that cannot be split: ``and`` at an end or twice, a stray comma, more than two in a
    name.

    Also ``;`` or ``&`` between names, which BibTeX takes as part of one name. Known to JabRef, bibcop.
    """
    for column in library.some(PEOPLE_FIELDS):
        text = f"\n{column.text}\n"
        if any(sign in text for sign in _SIGNS) or " AND " in text or " And " in text:
            for hit in column.hits(_BROKEN_LIST):
                yield Finding(
                    f"{_BROKEN[str(hit.match.lastgroup)]}: separate names by ' and '",
                    hit.entry,
                    column.name,
                    hit.part.strip(),
                )
    for name in library.people.places:
        if name.count(",") > 1 and not _EXTENDED(name):
            yield from _many_commas(library, name)


def _many_commas(library: Library, name: str) -> Iterator[Finding]:
    """A name of three parts or more: family, lineage, given is the only one that can be."""
    commas = _outside_braces(name).count(",")
    if commas > 2:
        message = f"the name {name!r} has more than two commas: separate names by ' and '"
        yield from _for_all(library, name, message)
    elif commas == 2:
        _, middle, last = (part.strip(" {}.~") for part in name.split(",", 2))
        if not _LINEAGE.fullmatch(middle) and not _LINEAGE.fullmatch(last):
            message = (
                f"{middle!r} in {name!r} is no lineage such as Jr: is an 'and' missing, or a comma too many?"
            )
            yield from _for_all(library, name, message)


#: BibLaTeX's extended format of a name: ``family=Rosnay, given=Patricia, prefix=de`` (manual, "Name lists").
_EXTENDED = re.compile(r'\{?"?(?:family|given|prefix|suffix|useprefix|id|[a-z]+-i)\s*=').match
_LINEAGE = re.compile(
    r"(?i)(?:jr|sr|jnr|snr|junior|senior|filho|neto|[ivx]{1,4}|\d(?:st|nd|rd|th)|ph\.?d|m\.?d|esq)"
)
_BROKEN_LIST = re.compile(
    r"(?mi)(?P<end>^and\b(?= |$)|(?<= )and$)|(?P<twice>\band +and\b)|(?P<comma>^ *,|, *(?=,|$|and ))"
    r"|(?P<semicolon>(?<!&\w{4})(?<!&\w{3})(?<!&\w\w)(?<![&\\]);)|(?P<ampersand> \\?& )|(?P<slash>\w / \w)"
)
_BROKEN = {
    "end": "the list begins or ends with 'and'",
    "twice": "'and' stands twice",
    "comma": "a comma stands alone",
    "semicolon": "';' separates no names",
    "ampersand": "'&' separates no names",
    "slash": "'/' separates no names",
}


#: Without any of these no list is broken; looking for them costs next to nothing.
_SIGNS = (
    "\nand ",
    " and\n",
    " and and ",
    ";",
    " & ",
    " \\& ",
    ",\n",
    ", and ",
    ",,",
    ", ,",
    " ,",
    "\n,",
    " / ",
    "\nand\n",
)


def _outside_braces(text: str) -> str:
    out: list[str] = []
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if depth == 0:
            out.append(char)
    return "".join(out)


@rule("truncated-list", "warning")
def truncated_list(library: Library) -> Iterator[Finding]:
    """``et al.`` written as a name, or ``and others`` where provenance knows the whole list.

    ``and others`` at the end is how BibTeX says that a list is cut; ``et al.`` becomes a person. Known to
    biblint, bibtexupdater.
    """
    for column in library.some(PEOPLE_FIELDS):
        lower = column.text.lower()
        if "et al" not in lower and "et. al" not in lower and "etal" not in lower:
            continue
        for hit in column.hits(_ET_AL):
            yield Finding(
                "'et al.' is taken as a name: give all names, or end with 'and others'",
                hit.entry,
                column.name,
                hit.part.strip(" ,"),
            )
    for entry, field, names in library.people.lists:
        if names[-1].lower() == "others" and field == "author":
            work = library.work(entry.key)
            known = max(
                map(
                    len,
                    (work.checked_facts.get("author", "").split(), *(one.author for one in work.versions)),
                )
            )
            if known >= len(names):
                yield Finding(
                    f"the list ends in 'and others', and provenance knows {known} names: give them all",
                    entry,
                    field,
                    "others",
                )


_ET_AL = re.compile(r"(?i)\bet\.? ?al\b\.?")


@rule("family-name-case", "warning", fixable=True)
def family_name_case(library: Library) -> Iterator[Finding]:
    """A family name that is missing, all in capitals, or all in lower case.

    Particles (``van``, ``de``) and braced names are left alone, as are names of two letters in capitals.
    Known to biblint, bibcop, Linter for Zotero.
    """
    for name in library.people.places:
        family = name.partition(",")[0] if "," in name else name.rpartition(" ")[2]
        if (family.isupper() or family.islower() or not family.strip()) and name[:1] != "{":
            yield from _family_case(library, name)


def _family_case(library: Library, name: str) -> Iterator[Finding]:
    if name.lower() == "others" or "&" in name or _is_organisation(name, library):
        return
    if "," not in name and _is_odd_single(name):  # WHO, UNICEF: no person's
        return
    person = _person(name)
    family = person.family
    if not any(char.isalpha() for char in family) and not person.literal:
        yield from _for_all(library, name, f"the name {name!r} has no family name: write Family, Given")
    elif sum(map(str.isalpha, family)) > (2 if family.isupper() else 1) and (
        family.isupper() or family.islower()
    ):
        case = "capitals" if family.isupper() else "lower case"
        right = _titled(family)
        yield from _for_all(
            library, name, f"the family name {family!r} is in {case}: write {right}", family, right
        )


def _titled(family: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda word: word[0].capitalize(), family)


@rule("initial-without-dot", "warning", fixable=True)
def initial_without_dot(library: Library) -> Iterator[Finding]:
    """An initial without its full stop. Known to biblint, bibcop."""
    for name in library.people.hits(_BARE_INITIAL):
        if not name.startswith("{") and not _is_organisation(name, library):
            head, mark, given = name.rpartition(", ") if "," in name else ("", "", name)
            given, blank, last = (given, "", "") if mark else given.rpartition(" ")
            fixed = head + mark + _INITIAL.sub(r"\1.", given) + blank + last
            if fixed != name:
                yield from _for_all(
                    library, name, f"an initial in {name!r} lacks its full stop: write {fixed!r}", name, fixed
                )


_BARE_INITIAL = re.compile(r"(?m), *(?:[^,\n]* )?[A-Z](?= |$|-[A-Z](?: |$))|^(?:[^,\n]* )?[A-Z] [^,\n]*$")
_INITIAL = re.compile(r"(?<![^\s~-])([A-Z])(?=[\s~-]|$)")


@rule("unbraced-organisation", "error", fixable=True)
def unbraced_organisation(library: Library) -> Iterator[Finding]:
    """An organisation without braces, which is split into given and family name.

    It is told by a list of names and words of the field, by ``organisations`` in the configuration, by what
    other entries brace, and by the entry's own organization, institution or publisher. Also a name with
    ``and`` in it in a list of publishers or institutions, which BibLaTeX splits: a warning. Known to bibcop.
    """
    known = library.organisations
    suspects = dict.fromkeys(library.people.hits(_ORGANISATION_WORD))
    for name in library.people.places:
        if "," not in name and (_plain(name) in known or _is_odd_single(name)):
            suspects[name] = None
    for name in suspects:
        if name[:1] == "{" and name[-1:] == "}":
            continue
        bare = name.strip()
        yield from _for_all(
            library,
            name,
            f"{bare!r} is an organisation and would be split: write {{{bare}}}",
            name,
            f"{{{bare}}}",
        )
    yield from _own_publisher(library, suspects)
    lists = ("publisher", "organization", "institution", "school")
    for column in library.some(lists if not library.is_classic else ()):
        for hit in column.hits(_SPLIT_LIST):
            value = hit.value
            if not (value[0] == "{" and value[-1] == "}"):
                yield Finding(
                    f"BibLaTeX splits {value!r} at 'and': brace it twice if it is one name",
                    hit.entry,
                    column.name,
                    value,
                    {column.name: f"{{{value}}}"},
                    "warning",
                )


def _own_publisher(library: Library, done: dict[str, None]) -> Iterator[Finding]:
    """Names that are the entry's own organization or publisher."""
    for field in ("organization", "institution", "publisher"):
        for entry, value in library.column(field):
            for name in library.authors.get(entry.key, ()):
                if name not in done and name[:1] != "{" and "," not in name and name == value.strip("{}"):
                    yield Finding(
                        f"{name!r} is the {field} too, so an organisation: write {{{name}}}",
                        entry,
                        "author",
                        name,
                        {"author": _braced(entry.fields["author"], name)},
                    )


def _braced(value: str, name: str) -> str:
    return value.replace(name, f"{{{name}}}", 1)


def _plain(name: str) -> str:
    return name.strip(" {}").lower() if name[:1] != "{" else ""


def _is_organisation(name: str, library: Library) -> bool:
    return _plain(name) in library.organisations or _ORGANISATION_WORD.search(name) is not None


_ORGANISATION_WORD = re.compile(
    r"(?m)(?:^|[ ,])(?:"
    + "|".join(re.escape(word) for word in sorted(vocabulary.organisations().words))
    + r")(?=$|[ ,])"
)


def _is_odd_single(name: str) -> bool:
    """Whether a name without comma is one word with capitals or digits inside, or begins with the article: no
    person's.
    """
    if name.startswith("The "):
        return True
    if not name.isalnum() or not name[0].isalpha():
        return False
    if any(char.isdecimal() for char in name):
        return True
    if name.isupper():
        return len(name) >= 3
    capitals = [at for at, char in enumerate(name) if char.isupper()]
    return any(at and name[at - 1].islower() and name[at + 1 : at + 2].isupper() for at in capitals)


_SPLIT_LIST = re.compile(
    r"(?m)\b(?:Universit\w+|Institut\w*|Department|School|College|Faculty|Ministry|Center|Centre"
    r"|Academy|Office) (?:of|for) [^\n{}]*? and [A-Z]"
    r"|(?:" + "|".join(re.escape(name) for name in vocabulary.organisations().with_and) + r")"
)


@rule("homonym-number", "warning", fixable=True)
def homonym_number(library: Library) -> Iterator[Finding]:
    """A number that DBLP adds to tell people of one name apart. Known to bibtex-autocomplete."""
    for name in library.people.hits(_NUMBERED):
        fixed = _NUMBERED.sub("", name)
        yield from _for_all(library, name, f"{name!r} carries a number of DBLP: write {fixed!r}", name, fixed)


_NUMBERED = re.compile(r" +\d{4}(?=,|$)", re.MULTILINE)


@rule("odd-name", "warning")
def odd_name(library: Library) -> Iterator[Finding]:
    """A name with what no name has: a digit, a symbol, a footnote mark, an e-mail address, an affiliation, a
    title of a person. Or with its initials last and no comma (``Smith JA``), which then are the family name.
    """
    for name in library.people.hits(_INITIALS_LAST):
        family, _, initials = name.rpartition(" ")
        right = f"{family}, {' '.join(f'{letter}.' for letter in initials)}"
        yield from _for_all(library, name, f"{name!r} has its initials last: write {right!r}")
    for name in library.people.hits(_NO_NAME):
        if (
            name[:1] == "{"
            or _NUMBERED.search(name)
            or _is_organisation(name, library)
            or _is_odd_single(name)
        ):
            continue
        yield from _for_all(library, name, f"{name!r} holds what is no part of a name: take it out")


#: As medical journals print names; a number such as XIV is none.
_INITIALS_LAST = re.compile(r"(?m)^[A-Z][a-z][\w'’-]*(?: [A-Z][a-z][\w'’-]*)? (?![IVX]+$)[A-Z]{2,3}$")
_NO_NAME = re.compile(
    r"(?m)[*@†‡§¶]|\d|[^\w\s.,'’ʼ‘&\-‐‑–·•/(){}\[\]\\\"^`´¨~=|:;!?]|\((?:Univ|Dep|Inst|[A-Z]{3,}\))"
    r"|^(?:Dr|Prof|Mr|Mrs|Ms)\.? |, *(?:Dr|Prof|PhD|Ph\.D)\b\.?"
)


@rule("person-twice", "warning")
def person_twice(library: Library) -> Iterator[Finding]:
    """The same person twice in one list, as from merging two lists: the same name, or one with more
    initials.
    """
    for entry, field, names in library.people.lists:
        if len(set(names)) < len(names):
            yield from _equal_names(entry, field, names)
        families = [name.partition(",")[0] for name in names]
        if len(set(families)) < len(families):
            yield from _similar_names(entry, field, names)


def _equal_names(entry: Entry, field: str, names: list[str]) -> Iterator[Finding]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield Finding(
                f"{name!r} stands twice in the list: compare it with the source", entry, field, name
            )
        seen.add(name)


def _similar_names(entry: Entry, field: str, names: list[str]) -> Iterator[Finding]:
    """Names of one family and one first name, of which one has more initials."""
    seen: dict[tuple[str, str], list[str]] = {}
    for name in names:
        family, comma, given = name.partition(", ")
        found = fold_name(given).replace(".", " ").split()
        if not comma or not found or len(found[0]) < 2:
            continue
        known = seen.setdefault((family, found[0]), found)
        if known != found and _abbreviates(known, found):
            yield Finding(f"{name!r} stands twice in the list, with other initials", entry, field, name)


@rule("reversed-name", "warning")
def reversed_name(library: Library) -> Iterator[Finding]:
    """Given and family name change places between two entries: one of them has them the wrong way round."""
    names = library.people.places
    for name in names:
        family, comma, given = name.partition(", ")
        if not comma or family >= given:
            continue
        other = f"{given}, {family}"
        if other in names:
            wrong = min((name, other), key=lambda written: len(names[written]))
            right = other if wrong == name else name
            yield from _for_all(
                library, wrong, f"{wrong!r} is {right!r} elsewhere: one has the names the wrong way round"
            )


@rule("name-variants", "info")
def name_variants(library: Library) -> Iterator[Finding]:
    """One person spelled in two ways in the library: with and without accents, or with more or fewer
    initials.

    The same family name with given names of which one is the other without accents; or has initials in place
    of names, or some more, if the two have somebody else in common. Different people may be meant. Known to
    Linter for Zotero.
    """
    whole: dict[str, list[str]] = {}
    initials: dict[str, list[str]] = {}
    for name in library.people.places:
        family, comma, given = name.partition(", ")
        if comma and given and name[0] != "{" and "," not in given:
            first = fold_name(given.partition(" ")[0]).rstrip(".")
            key = fold_name(family)
            whole.setdefault(f"{key}, {first}", []).append(name)
            if len(first) == 1:
                initials.setdefault(f"{key}, {first}", []).append(name)
    for key, names in whole.items():  # an initial may stand for any given name that begins with it
        family, _, first = key.rpartition(", ")
        if len(first) > 1 and f"{family}, {first[0]}" in initials:
            initials[f"{family}, {first[0]}"] += names
    for key, spelled in whole.items():
        if len(spelled) > 1 and key not in initials:
            yield from _variants(library, spelled)
    for spelled in initials.values():
        if len(spelled) > 1:
            yield from _variants(library, spelled)


def _variants(library: Library, names: list[str]) -> Iterator[Finding]:
    """Findings for the rarer of each two spellings of one person."""
    places = library.people.places
    known = [
        (name, fold_name(name.partition(", ")[2]).replace(".", " ").replace("-", " ").split())
        for name in names
    ]
    known.sort(key=lambda pair: (-len(places[pair[0]]), pair[0].isascii(), -len(pair[0]), pair[0]))
    for at, (name, given) in enumerate(known):
        for better, other in known[:at]:
            if given == other:
                differ = _plain_name(name) != _plain_name(better)
            else:
                differ = _abbreviates(given, other) and _share_people(library, name, better)
            if differ:
                yield from _for_all(
                    library,
                    name,
                    f"{_plain_name(name)!r} is {_plain_name(better)!r} elsewhere: spell one person one "
                    f"way, if it is one",
                )
                break


def _plain_name(name: str) -> str:
    from refkit.values import tex

    return tex.decode(name)


def _share_people(library: Library, one: str, other: str) -> bool:
    """Whether somebody else stands in lists of both."""
    mine, theirs = library.people.beside(one), library.people.beside(other)
    return any(name in theirs for name in mine if name not in (one, other))


def _abbreviates(one: list[str], other: list[str]) -> bool:
    """Whether two lists of given names differ only in initials: in place of names, or added at the end."""
    if not one or not other or one[0][0] != other[0][0]:
        return False
    if len(one) == len(other):
        return all(
            a == b or (1 in (len(a), len(b)) and a[0] == b[0]) for a, b in zip(one, other, strict=True)
        )
    shorter, longer = (one, other) if len(one) < len(other) else (other, one)
    return longer[: len(shorter)] == shorter and all(len(word) == 1 for word in longer[len(shorter) :])


# -- shared


def _person(name: str) -> Person:
    from refkit.values import names

    people = names.parse(name).people
    return people[0] if people else Person()


def _for_all(
    library: Library, name: str, message: str, old: str = "", new: str | None = None
) -> Iterator[Finding]:
    """One finding for each entry and field that has a name; with a fix where the new spelling is given."""
    for entry, field in library.people.places[name]:
        fix = partial(_replaced, library, entry, field, name, old, new) if new is not None else None
        yield Finding(message, entry, field, name, fix)


def _replaced(
    library: Library, entry: Entry, field: str, name: str, old: str, new: str
) -> dict[str, str | None]:
    """The field's value with a name changed wherever it stands in the list."""
    names = library.people.of(entry, field)
    return {field: " and ".join(one.replace(old, new, 1) if one == name else one for one in names)}


RULES = (
    name_list,
    truncated_list,
    family_name_case,
    initial_without_dot,
    unbraced_organisation,
    homonym_number,
    odd_name,
    person_twice,
    reversed_name,
    name_variants,
)
