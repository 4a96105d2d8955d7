"""Names from the services' shapes, and their way into BibTeX and back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refkit.enrich import people
from refkit.model import Person
from refkit.values import names, tex


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Lee", Person("Lee", "Ada")),
        ("Daniel Y. Fu", Person("Fu", "Daniel Y.")),
        ("Guido van Rossum", Person("Rossum", "Guido", "van")),
        ("Michiel de Jong", Person("Jong", "Michiel", "de")),
        ("Maria de la Cruz", Person("Cruz", "Maria", "de la")),
        ("Martin Luther King Jr.", Person("King", "Martin Luther", suffix="Jr.")),
        ("John Doe III", Person("Doe", "John", suffix="III")),
        ("Lee, Ada", Person("Lee", "Ada")),
        ("van Rossum, Guido", Person("Rossum", "Guido", "van")),
        ("Anandi", Person("Anandi")),
        ("Gerard 't Hooft", Person("Hooft", "Gerard", "'t")),
        ("NVIDIA", Person(literal="NVIDIA")),
        ("OpenAI", Person(literal="OpenAI")),
        ("McDonald", Person("McDonald")),
        ("DeepSeek-AI", Person(literal="DeepSeek-AI")),
        ("Qwen Team", Person(literal="Qwen Team")),
        ("The ATLAS Collaboration", Person(literal="The ATLAS Collaboration")),
        ("Wei Ai", Person("Ai", "Wei")),
        ("Wei Wang 0002", Person("Wang", "Wei")),
        (r"Christopher R\'e", Person("Ré", "Christopher")),
        (":", None),
        ("", None),
    ],
)
def test_a_name_in_reading_order_is_split_with_care(text: str, expected: Person | None) -> None:
    assert people.of_text(text) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ({"name": "Tissue Map Consortium", "sequence": "first"}, Person(literal="Tissue Map Consortium")),
        ({"literal": "Group and Co, Inc."}, Person(literal="Group and Co, Inc.")),
        ({"family": "Anandi"}, Person("Anandi")),
        ({"family": "WHO"}, Person(literal="WHO")),
        ({"family": "'t Hooft", "given": "Gerard"}, Person("Hooft", "Gerard", "'t")),
        ({"family": "", "given": "Only Given"}, Person(literal="Only Given")),
        (
            {"family": "Berg", "given": "Anna", "non-dropping-particle": "van der"},
            Person("Berg", "Anna", "van der"),
        ),
        ({"family": "de la Cruz", "given": "María"}, Person("Cruz", "María", "de la")),
        ({"family": "King", "given": "M. L.", "suffix": "Jr."}, Person("King", "M. L.", suffix="Jr.")),
    ],
)
def test_names_of_csl(name: dict[str, Any], expected: Person) -> None:
    assert people.of_csl([name]) == (expected,)


@pytest.mark.parametrize("value", [None, "x", {}, [None], ["x"], [{}], [{"family": None, "given": 3}]])
def test_what_is_no_name_is_left_out(value: object) -> None:
    assert people.of_csl(value) == ()


@pytest.mark.parametrize(
    ("person", "value"),
    [
        (Person("Lee", "Ada"), "Lee, Ada"),
        (Person(literal="Group and Co, Inc."), "{Group and Co, Inc.}"),
        (Person("King", "Martin Luther", suffix="Jr."), "King, Jr., Martin Luther"),
        (Person("Rossum", "Guido", "van"), "van Rossum, Guido"),
        (Person("Anandi"), "Anandi"),
        (Person("Müller & Söhne", "A."), r"Müller \& Söhne, A."),
    ],
)
def test_names_in_bibtex(person: Person, value: str) -> None:
    assert people.to_bibtex([person]) == value


_WORDS = st.text(alphabet=st.sampled_from("abcXYZéø ,.-'and{}\\"), min_size=1, max_size=15).map(tex.clean)


@given(
    st.lists(
        st.one_of(
            st.builds(lambda name: Person(literal=name), _WORDS),
            st.builds(Person, _WORDS, _WORDS),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_as_many_people_are_read_as_were_written(written: list[Person]) -> None:
    written = [person for person in written if any(map(str.isalpha, person.full))]

    read = names.parse(people.to_bibtex(written))

    assert len(read.people) == len(written)
    assert not read.others


def test_entities_in_names_are_decoded_as_often_as_they_were_escaped() -> None:
    found = people.of_csl([
        {"family": "O&apos;Neil", "given": "A. &amp;amp; B."}, {"name": "Smith &amp; Co"},
    ])  # fmt: skip
    assert (found[0].family, found[0].given, found[1].literal) == ("O'Neil", "A. & B.", "Smith & Co")
    person = people.of_text("Ada O&#39;Neil")
    assert person is not None
    assert person.family == "O'Neil"
