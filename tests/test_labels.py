"""Citation labels."""

from __future__ import annotations

from refkit.labels import labels
from refkit.model import Entry


def entry(key: str, **fields: str) -> Entry:
    return Entry(key, "misc", dict(fields))


def text(*entries: Entry) -> list[str]:
    found = labels(entries)
    return [found[one.key].text for one in entries]


def test_one_two_and_more_people() -> None:
    assert text(
        entry("a", author="Dao, Tri", date="2024"),
        entry("b", author="Volkov, Vasily and Demmel, James", date="2008-11"),
        entry("c", author="A, B and C, D and E, F", date="2020"),
        entry("d", author="A, B and others", date="2021"),
        entry("e", author="de Jong, Michiel", year="2019"),
    ) == ["Dao 2024", "Volkov & Demmel 2008", "A et al. 2020", "A et al. 2021", "de Jong 2019"]


def test_an_organisation_or_an_undated_work_is_named_by_its_short_title() -> None:
    assert text(
        entry(
            "a", author="{NVIDIA}", date="2025", title="Parallel Thread Execution ISA", shorttitle="PTX ISA"
        ),
        entry("b", author="Tillet, Philippe", title="Introduction", shorttitle="Triton programming guide"),
        entry("c", title="Only a title"),
        entry("d"),
    ) == ["PTX ISA", "Triton programming guide", "Only a title", "d"]


def test_letters_stand_only_where_labels_would_be_equal() -> None:
    assert text(
        entry("z", author="Chen, A", date="2023-05"),
        entry("y", author="Chen, B", date="2023-02"),
        entry("x", author="Chen, A", date="2022"),
        entry("n1", title="Programming Model"),
        entry("n2", title="Programming Model"),
    ) == ["Chen 2023b", "Chen 2023a", "Chen 2022", "Programming Model (a)", "Programming Model (b)"]


def test_an_editor_stands_in_for_an_author() -> None:
    assert text(entry("a", editor="Hwu, Wen-mei", date="2011")) == ["Hwu 2011"]


def test_a_textual_label_puts_the_year_in_parentheses() -> None:
    assert labels([entry("a", author="Dao, Tri", date="2024")])["a"].textual == "Dao (2024)"


def test_more_than_26_equal_labels_go_on_with_two_letters() -> None:
    found = labels([entry(f"k{n:02}", author="Li, X", date="2024") for n in range(28)])
    assert [found["k25"].text, found["k26"].text, found["k27"].text] == ["Li 2024z", "Li 2024aa", "Li 2024ab"]


def test_a_long_title_is_cut_to_a_label() -> None:
    long = "First M87 Event Horizon Telescope Results. I. The Shadow of the Supermassive Black Hole"
    assert text(
        entry("a", author="{IPCC}", date="2021", title="Climate Change 2021: The Physical Science Basis"),
        entry("b", author="{EHT}", date="2019", title=long),
        entry("c", title="x" * 200),
        entry("d", author="{EHT}", date="2020", title=f"{long}, Again"),
    ) == [
        "Climate Change 2021: The Physical Science Basis",
        "First M87 Event Horizon Telescope Results. I… (a)",
        "x" * 47 + "…",
        "First M87 Event Horizon Telescope Results. I… (b)",
    ]
    assert text(entry("a", title="Regulation: " + long)) == ["Regulation"]
