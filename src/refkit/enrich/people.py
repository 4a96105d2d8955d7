"""Names of people and organisations: from the services' shapes to persons, from persons to BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from refkit.enrich import foreign
from refkit.model import Person
from refkit.values import tex

_SUFFIX = re.compile(r"(?:[JS]r\.?|I{2,3}|IV|VI{0,3})")
_PARTICLES = frozenset(
    "af al am auf aus'm av ben bin d' da dal dalla de degli dei del della delle den der di do dos du e el la "
    "las le les lo los mac op 't te ten ter tho thoe van ver vom von y zu zum zur".split()
)
#: Words that only names of organisations have.
_ORGANISATION = re.compile(
    r"\b(?:team|group|collaborations?|consortium|corporation|corp|inc|ltd|llc|gmbh|laborator(?:y|ies)|labs?|"
    r"institutes?|universit\w{1,4}|foundation|project|committee|council|society|association|agency|ministry|"
    r"department|center|centre|task force|contributors|developers|authors|community|company|network|"
    r"organi[sz]ation|initiative|research|technologies|systems|(?-i:AI))\b",
    re.IGNORECASE,
)
#: One word in capitals (NVIDIA, WHO), or with several of them inside (OpenAI).
_INITIALS = re.compile(r"[A-Z][A-Z0-9]{2,}|[A-Za-z]*[a-z][A-Z]{2,}[A-Za-z0-9]*")
_HOMONYM = re.compile(r"\s+\d{4}$")


def of_csl(names: object) -> tuple[Person, ...]:
    """The persons of CSL's or Crossref's name objects; what has no name at all is left out."""
    if not isinstance(names, list):
        return ()
    return tuple(
        person for person in (_of_csl(name) for name in names if isinstance(name, Mapping)) if person
    )


def _of_csl(name: Mapping[str, Any]) -> Person | None:
    family, given = _text(name, "family"), _text(name, "given")
    literal = _text(name, "literal") or _text(name, "name")
    suffix = _text(name, "suffix")
    prefix = " ".join(filter(None, (_text(name, "dropping-particle"), _text(name, "non-dropping-particle"))))
    if literal and not family:
        return Person(literal=literal)
    if not family:
        return Person(literal=given) if given else None
    if not given and not prefix and _INITIALS.fullmatch(family):
        return Person(literal=family)
    if not prefix:
        prefix, family = _particles(family)
    return Person(family=_HOMONYM.sub("", family), given=given, prefix=prefix, suffix=suffix)


def _text(name: Mapping[str, Any], member: str) -> str:
    value = name.get(member)
    return tex.clean(foreign.unescaped(value)) if isinstance(value, str) else ""


def _particles(family: str) -> tuple[str, str]:
    """Particles that stand before a family name in small letters: ``de la Cruz``."""
    words = family.split()
    count = 0
    while count < len(words) - 1 and words[count].lstrip("'’")[:1].islower():
        count += 1
    return " ".join(words[:count]), " ".join(words[count:])


def of_text(text: str) -> Person | None:
    """The person of a name in reading order, as arXiv has it: ``Daniel Y. Fu``, ``Guido van Rossum``.

    A name of one word is never split, nor is that of an organisation. ``None`` where there is no letter in
    it.
    """
    name = _HOMONYM.sub("", tex.clean(tex.decode(foreign.unescaped(text))))
    if not any(char.isalpha() for char in name):
        return None
    words = name.split()
    if len(words) == 1 or is_organisation(name):
        return Person(family=name) if len(words) == 1 and not is_organisation(name) else Person(literal=name)
    if "," in name:
        return _inverted(name)
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    at = len(words) - 1
    while at > 1 and _is_particle(words[at - 1]):
        at -= 1
    return Person(
        family=words[-1], given=" ".join(words[:at]), prefix=" ".join(words[at:-1]), suffix=suffix.strip(",")
    )


def _is_particle(word: str) -> bool:
    word = word.replace("’", "'")
    return word.lower() in _PARTICLES and word.lstrip("'")[:1].islower()


def _inverted(name: str) -> Person:
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 2 and _SUFFIX.fullmatch(parts[1]):
        person = of_text(parts[0]) or Person(literal=name)
        return person._replace(suffix=parts[1])
    if len(parts) == 2 and all(parts):
        prefix, family = _particles(parts[0])
        return Person(family=family, given=parts[1], prefix=prefix)
    return Person(literal=name)


def is_organisation(name: str) -> bool:
    """Whether a name is that of an organisation: initials, or with a word that no person's name has."""
    if _INITIALS.fullmatch(name):
        return True
    return bool(_ORGANISATION.search(name)) or name.lower().startswith("the ")


def to_bibtex(people: Iterable[Person]) -> str:
    """The value of a name field. Whatever BibTeX would split or read otherwise is braced."""
    return " and ".join(filter(None, map(_one, people)))


def _one(person: Person) -> str:
    if person.literal:
        return f"{{{tex.encode(person.literal)}}}"
    if not person.given and not person.prefix and not person.suffix:
        family = tex.encode(person.family)
        return f"{{{family}}}" if " " in family or not _reads_back(person, family) else family
    parts = [" ".join(filter(None, (tex.encode(person.prefix), tex.encode(person.family))))]
    parts += [tex.encode(person.suffix)] if person.suffix else []
    parts.append(tex.encode(person.given))
    text = ", ".join(parts)
    if _reads_back(person, text):
        return text
    braced = [person.prefix and tex.encode(person.prefix), f"{{{tex.encode(person.family)}}}"]
    parts[0] = " ".join(filter(None, braced))
    parts[1:] = [
        f"{{{part}}}" if re.search(r",|\band\b", part, re.IGNORECASE) else part for part in parts[1:]
    ]
    return ", ".join(parts)


def _reads_back(person: Person, text: str) -> bool:
    from refkit.values import names

    read = names.parse(text)
    return (
        len(read.people) == 1
        and not read.others
        and read.people[0]._replace(useprefix=None)
        in (
            person._replace(useprefix=None),
            Person(literal=person.family) if not person.given else person,
        )
    )
