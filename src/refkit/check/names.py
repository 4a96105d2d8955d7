"""Names: lists that split wrong, names in the wrong shape, organisations, people spelled in two ways."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refkit.check import vocabulary
from refkit.check.fold import fold, words
from refkit.check.library import PEOPLE_FIELDS, Library
from refkit.check.model import Finding, rule
from refkit.model import Entry, Person

_ENTRY = "@misc{{lee2024, author = {{{}}}, title = {{Title}}, year = {{2024}}}}".format


@rule(
    "name-list", "error",
    bad=_ENTRY("and Lee, Ada and Poe, Bo, C., D."), good=_ENTRY("Lee, Ada and Poe, Bo"),
)  # fmt: skip
def name_list(library: Library) -> Iterator[Finding]:
    """A list of names that cannot be split: ``and`` at an end or twice, a stray comma, more than two in a name.

    Also ``;`` or ``&`` between names, which BibTeX takes as part of one name. Known to JabRef, bibcop.
    """
    for column in library.some(PEOPLE_FIELDS):
        for hit in column.hits(_BROKEN_LIST):
            yield Finding(
                f"{_what_is_broken(hit.match)}: separate names by ' and '",
                hit.entry,
                column.name,
                hit.part.strip(),
            )
    for entry, field, names in library.people.lists:
        for name in names:
            if name.count(",") > 2 and _outside_braces(name).count(",") > 2:
                yield Finding(
                    f"the name {name!r} has more than two commas: separate names by ' and '",
                    entry,
                    field,
                    name,
                )


_BROKEN_LIST = re.compile(
    r"(?mi)(?P<end>^and\b(?= |$)|(?<= )and$)|(?P<twice>\band +and\b)|(?P<comma>^ *,|, *(?=,|$|and ))"
    r"|(?P<semicolon>(?<!&\w{4})(?<!&\w{3})(?<!&\w\w)(?<![&\\]);)|(?P<ampersand> \\?& )|(?P<slash>\w / \w)"
)
_BROKEN = {
    "end": "the list begins or ends with 'and'", "twice": "'and' stands twice", "comma": "a comma stands alone",
    "semicolon": "';' separates no names", "ampersand": "'&' separates no names", "slash": "'/' separates no names",
}  # fmt: skip


def _what_is_broken(match: re.Match[str]) -> str:
    return _BROKEN[str(match.lastgroup)]


def _outside_braces(text: str) -> str:
    out: list[str] = []
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if depth == 0:
            out.append(char)
    return "".join(out)


@rule(
    "truncated-list", "warning",
    bad=_ENTRY("Lee, Ada et al."), good=_ENTRY("Lee, Ada and Poe, Bo and others"),
)  # fmt: skip
def truncated_list(library: Library) -> Iterator[Finding]:
    """``et al.`` written as a name, or ``and others`` where provenance knows the whole list.

    ``and others`` at the end is how BibTeX says that a list is cut; ``et al.`` becomes a person. Known to biblint,
    bibtexupdater.
    """
    for column in library.some(PEOPLE_FIELDS):
        for hit in column.hits(_ET_AL):
            yield Finding(
                "'et al.' is taken as a name: give all names, or end with 'and others'",
                hit.entry,
                column.name,
                hit.part.strip(" ,"),
            )
    for entry, field, names in library.people.lists:
        if names[-1].lower() == "others" and field == "author":
            known = max((version.author for version in library.work(entry.key).versions), key=len, default=())
            if len(known) >= len(names):
                yield Finding(
                    f"the list ends in 'and others', and provenance knows {len(known)} names: give them all",
                    entry,
                    field,
                    "others",
                )


_ET_AL = re.compile(r"(?i)[ ,{]*\bet\.? ?al\b\.?")


@rule(
    "family-name-case", "warning", fixable=True,
    bad=_ENTRY("LEE, Ada"), good=_ENTRY("Lee, Ada and {NVIDIA}"),
)  # fmt: skip
def family_name_case(library: Library) -> Iterator[Finding]:
    """A family name that is missing, all in capitals, or all in lower case.

    Particles (``van``, ``de``) and braced names are left alone, as are names of two letters in capitals. Known to
    biblint, bibcop, Linter for Zotero.
    """
    for name in library.people.hits(_ODD_CASE):
        if name.startswith("{") or name.lower() == "others" or _is_organisation(name, library):
            continue
        person = _person(name)
        family = person.family
        letters = [char for char in family if char.isalpha()]
        if not letters and not person.literal:
            yield from _for_all(library, name, f"the name {name!r} has no family name: write Family, Given")
        elif len(letters) > 2 and family.isupper():
            yield from _for_all(
                library,
                name,
                f"the family name {family!r} is in capitals: write {_titled(family)}",
                family,
                _titled(family),
            )
        elif len(letters) > 1 and family.islower():
            yield from _for_all(
                library,
                name,
                f"the family name {family!r} is in lower case: write {_titled(family)}",
                family,
                _titled(family),
            )


_ODD_CASE = re.compile(
    r"(?m)^[^a-z\n,{]*[A-Z]{3}[^a-z\n,{]*(?:,|$)|[ ~][A-Z]{3,}$|^[a-z][^A-Z,\n]*(?:,|$)|[ ~][a-z][^ ,\n]*$|^ *,|^[^A-Za-z\n]*$"
)


def _titled(family: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda word: word[0].capitalize(), family)


@rule(
    "initial-without-dot", "warning", fixable=True,
    bad=_ENTRY("Lee, Ada L"), good=_ENTRY("Lee, Ada L."),
)  # fmt: skip
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


@rule(
    "unbraced-organisation", "error", fixable=True,
    bad=_ENTRY("Advanced Micro Devices"), good=_ENTRY("{Advanced Micro Devices}"),
)  # fmt: skip
def unbraced_organisation(library: Library) -> Iterator[Finding]:
    """An organisation without braces, which is split into given and family name.

    It is told by a list of names and words of the field, by ``organisations`` in the configuration, by what other
    entries brace, and by the entry's own organization, institution or publisher. Also a name with ``and`` in it in
    a list of publishers or institutions, which BibLaTeX splits. Known to bibcop.
    """
    known = library.organisations
    suspects = dict.fromkeys(
        (
            *library.people.hits(_ORGANISATION_WORD),
            *(name for name in library.people.places if _plain(name) in known),
        )
    )
    suspects.update(dict.fromkeys(library.people.hits(_ODD_SINGLE)))
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
    for column in library.some(("publisher", "organization", "institution", "school")):
        for hit in column.hits(_SPLIT_LIST):
            value = hit.value
            if not (value[0] == "{" and value[-1] == "}"):
                yield Finding(
                    f"BibLaTeX splits {value!r} at 'and': brace it twice if it is one name", hit.entry, column.name, value,
                    {column.name: f"{{{value}}}"},
                )  # fmt: skip


def _own_publisher(library: Library, done: dict[str, None]) -> Iterator[Finding]:
    """Names that are the entry's own organization or publisher."""
    for field in ("organization", "institution", "publisher"):
        for entry, value in library.column(field):
            for name in library.authors.get(entry.key, ()):
                if name not in done and name[:1] != "{" and "," not in name and name == value.strip("{}"):
                    yield Finding(
                        f"{name!r} is the {field} too, so an organisation: write {{{name}}}", entry, "author", name,
                        {"author": _braced(entry.fields["author"], name)},
                    )  # fmt: skip


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
#: One word with capitals or digits inside, or with the article: no family name.
_ODD_SINGLE = re.compile(
    r"(?m)^(?:The [A-Z][^,\n]*|[a-z]+[A-Z]{2,}\w*|[A-Z]{4,}|\w*[a-z]\w*[A-Z]{2,}\w*|[A-Za-z]+\d+\w*)$"
)
_SPLIT_LIST = re.compile(
    r"(?m)\b(?:Universit\w+|Institut\w*|Department|School|College|Faculty|Ministry|Center|Centre|Academy|Office) (?:of|for) [^\n{}]*? and [A-Z]"
    r"|(?:" + "|".join(re.escape(name) for name in vocabulary.organisations().with_and) + r")"
)


@rule(
    "homonym-number", "warning", fixable=True,
    bad=_ENTRY("Wang, Wei 0002"), good=_ENTRY("Wang, Wei"),
)  # fmt: skip
def homonym_number(library: Library) -> Iterator[Finding]:
    """A number that DBLP adds to tell people of one name apart. Known to bibtex-autocomplete."""
    for name in library.people.hits(_NUMBERED):
        fixed = _NUMBERED.sub("", name)
        yield from _for_all(library, name, f"{name!r} carries a number of DBLP: write {fixed!r}", name, fixed)


_NUMBERED = re.compile(r" +\d{4}(?=,|$)", re.MULTILINE)


@rule(
    "odd-name", "warning",
    bad=_ENTRY("Lee, Ada* and Poe, Bo (Univ. of Example)"), good=_ENTRY("Lee, Ada and Fan, Max (Xiangjun)"),
)  # fmt: skip
def odd_name(library: Library) -> Iterator[Finding]:
    """A name with what no name has: a digit, a footnote mark, an e-mail address, an affiliation, a title of a person."""
    for name in library.people.hits(_NO_NAME):
        if (
            name[:1] == "{"
            or _NUMBERED.search(name)
            or _is_organisation(name, library)
            or _ODD_SINGLE.search(name)
        ):
            continue
        yield from _for_all(library, name, f"{name!r} holds what is no part of a name: take it out")


_NO_NAME = re.compile(
    r"(?m)[*@†‡§¶]|\d|\((?:Univ|Dep|Inst|[A-Z]{3,}\))|^(?:Dr|Prof|Mr|Mrs|Ms)\.? |, *(?:Dr|Prof|PhD|Ph\.D)\b\.?"
)


@rule(
    "person-twice", "warning",
    bad=_ENTRY("Lee, Ada and Poe, Bo and Lee, Ada"), good=_ENTRY("Lee, Ada and Poe, Bo"),
)  # fmt: skip
def person_twice(library: Library) -> Iterator[Finding]:
    """The same name twice in one list, as from merging two lists."""
    for entry, field, names in library.people.lists:
        if len(set(names)) == len(names):
            continue
        seen: set[str] = set()
        for name in names:
            if name in seen:
                yield Finding(
                    f"{name!r} stands twice in the list: compare it with the source", entry, field, name
                )
            seen.add(name)


@rule(
    "reversed-name", "warning",
    bad=_ENTRY("Lee, Ada") + "\n" + _ENTRY("Ada, Lee").replace("lee2024", "lee2023"),
    good=_ENTRY("Lee, Ada") + "\n" + _ENTRY("Ada Lee").replace("lee2024", "lee2023"),
)  # fmt: skip
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


@rule(
    "name-variants", "info",
    bad=_ENTRY("Lebrón, Federico") + "\n" + _ENTRY("Lebron, Federico").replace("lee2024", "lee2023"),
    good=_ENTRY("Lebrón, Federico") + "\n" + _ENTRY("Lebr{\\'o}n, Federico").replace("lee2024", "lee2023"),
)  # fmt: skip
def name_variants(library: Library) -> Iterator[Finding]:
    """One person spelled in two ways in the library: with and without accents, or with more or fewer initials.

    The same family name with given names of which one is the other without accents, or the other with initials in
    place of names or added. Different people may be meant. Known to Linter for Zotero.
    """
    groups: dict[tuple[str, str], dict[str, str]] = {}
    for name in library.people.places:
        family, comma, given = name.partition(", ")
        if not comma or not given or name[:1] == "{" or "," in given:
            continue
        key = (fold(family), fold(given[:8]).lstrip()[:1])
        groups.setdefault(key, {})[name] = given
    for spelled in groups.values():
        if len(spelled) > 1:
            yield from _variants(library, list(spelled))


def _variants(library: Library, names: list[str]) -> Iterator[Finding]:
    """Findings for the rarer of each two spellings of one person."""
    from refkit.values import tex

    plain: dict[str, str] = {}
    for name in names:
        plain.setdefault(tex.decode(name), name)
    known = list(plain)
    known.sort(key=lambda text: (-len(library.people.places[plain[text]]), text.isascii(), -len(text), text))
    for at, text in enumerate(known):
        for better in known[:at]:
            if _one_person(text, better):
                yield from _for_all(
                    library,
                    plain[text],
                    f"{text!r} is {better!r} elsewhere: spell one person one way, if it is one",
                )
                break


def _one_person(one: str, other: str) -> bool:
    first, second = words(one.partition(", ")[2]), words(other.partition(", ")[2])
    if not first or not second:
        return False
    if first == second:
        return True
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) == len(longer):
        return all(
            a == b or (1 in (len(a), len(b)) and a[0] == b[0]) for a, b in zip(shorter, longer, strict=True)
        )
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
        fix = {field: _replaced(entry, field, name, old, new)} if new is not None else None
        yield Finding(message, entry, field, name, fix)


def _replaced(entry: Entry, field: str, name: str, old: str, new: str) -> str:
    """The field's value with a name changed, as often as it stands there between the ends and ``and``."""
    changed = name.replace(old, new, 1)
    pattern = rf"(?:(?<=^)|(?<= and )){re.escape(name)}(?=$| and )"
    return re.sub(pattern, lambda _: changed, entry.fields[field])


RULES = (
    name_list, truncated_list, family_name_case, initial_without_dot, unbraced_organisation, homonym_number, odd_name,
    person_twice, reversed_name, name_variants,
)  # fmt: skip
