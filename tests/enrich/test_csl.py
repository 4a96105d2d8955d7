"""Records in CSL-JSON and in the shapes of Crossref and DataCite."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refkit.enrich import csl, datacite


def _parse(**members: Any) -> Any:
    return csl.parse({"DOI": "10.5555/x", **members}, "crossref")


@pytest.mark.parametrize("title", [[], None, "", "  ", [None], {}, 5.5, True])
def test_a_title_that_is_none_is_empty(title: object) -> None:
    assert _parse(title=title).title.raw in ("", "5.5")


def test_a_subtitle_is_joined_once() -> None:
    assert _parse(title=["Main"], subtitle=["Sub"]).title.raw == "Main: Sub"
    assert _parse(title=["Main: Sub"], subtitle=["Sub"]).title.raw == "Main: Sub"


@pytest.mark.parametrize(
    ("issued", "expected"),
    [
        ({"date-parts": [[2020, 9, 5]]}, "2020-09-05"),
        ({"date-parts": [["2020", "09", "05"]]}, "2020-09-05"),
        ({"date-parts": [[2019, 5, 1, 12, 30]]}, "2019-05-01"),
        ({"date-parts": [[2019]]}, "2019"),
        ({"date-parts": [[None]]}, None),
        ({"date-parts": [[]]}, None),
        ({"date-parts": []}, None),
        ({"date-parts": None}, None),
        ({"date-parts": [[0]]}, None),
        ({"date-parts": [[99999]]}, None),
        (None, None),
        ("2020", None),
    ],
)
def test_dates(issued: object, expected: str | None) -> None:
    date = _parse(issued=issued).date

    assert (date.iso if date else None) == expected


def test_dates_of_the_record_are_not_the_works() -> None:
    record = _parse(
        issued={"date-parts": [[None]]}, created={"date-parts": [[2009]]}, deposited={"date-parts": [[2018]]}
    )

    assert record.date is None
    assert not record.years


def test_a_retraction_stands_on_the_work_and_on_the_notice() -> None:
    updated = {"date-parts": [[2023, 4, 5]]}
    on_work = _parse(
        **{
            "updated-by": [
                {"type": "retraction", "DOI": "10.5555/r", "source": "retraction-watch", "updated": updated}
            ]
        }
    )
    on_notice = _parse(**{"update-to": [{"type": "retraction", "DOI": "10.5555/w", "updated": updated}]})

    assert [(n.kind, n.source, n.date, n.doi) for n in on_work.notices] == [
        ("retracted", "retraction-watch", "2023-04-05", "10.5555/r")
    ]
    assert [(n.kind, n.doi) for n in on_notice.notices] == [("retraction-notice", "10.5555/w")]


@pytest.mark.parametrize("word", ["correction", "erratum", "corrigendum", "expression_of_concern"])
def test_a_correction_is_no_retraction(word: str) -> None:
    record = _parse(**{"updated-by": [{"type": word, "DOI": "10.5555/c"}]})

    assert [notice.kind for notice in record.notices] == ["corrected"]


def test_a_notice_of_correction_is_not_told_as_a_retraction() -> None:
    assert _parse(**{"update-to": [{"type": "correction", "DOI": "10.5555/c"}]}).notices == ()


def test_a_new_version_is_no_notice() -> None:
    assert _parse(**{"updated-by": [{"type": "new_version", "DOI": "10.5555/c"}]}).notices == ()


def test_the_preprint_of_a_work_and_the_publication_of_a_preprint() -> None:
    relation = {
        "has-preprint": [{"id-type": "arxiv", "id": "2101.00001"}],
        "is-preprint-of": [{"id": "10.5555/p"}],
    }

    record = _parse(relation=relation)

    assert record.preprints == ("2101.00001",)
    assert record.published_dois == ("10.5555/p",)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["date-parts", "family", "id", "type", "name"]), inner, max_size=3)
    ),
    max_leaves=8,
)
_MEMBERS = st.sampled_from(
    """
    title subtitle author editor issued published container-title ISBN page volume relation updated-
    by update-to type titles creators dates types container publisher identifiers relatedIdentifiers
    version publicationYear doi
    """.split()
)


@given(st.dictionaries(_MEMBERS, _JSON, max_size=6))
def test_no_shape_of_a_record_is_a_crash(work: dict[str, Any]) -> None:
    csl.parse(work, "crossref")
    datacite.parse(work)


def test_a_record_of_datacite() -> None:
    record = datacite.parse(
        {
            "doi": "10.5555/zenodo.1",
            "titles": [{"title": "Data"}, {"title": "Of tests", "titleType": "Subtitle"}],
            "creators": [
                {"name": "Lee, Ada", "nameType": "Personal", "givenName": "Ada", "familyName": "Lee"},
                {"name": "The Team", "nameType": "Organizational"},
                {"name": "Doe, Jo"},
            ],
            "publisher": {"name": "Zenodo"},
            "publicationYear": 2021,
            "dates": [
                {"date": "2021-03-04", "dateType": "Issued"},
                {"date": "2019", "dateType": "Collected"},
            ],
            "types": {"resourceTypeGeneral": "Dataset"},
            "version": "v1.2",
            "relatedIdentifiers": [
                {
                    "relationType": "IsPreprintOf",
                    "relatedIdentifierType": "DOI",
                    "relatedIdentifier": "10.5555/p",
                },
                {
                    "relationType": "References",
                    "relatedIdentifierType": "DOI",
                    "relatedIdentifier": "10.5555/r",
                },
            ],
        }
    )

    assert record.title.raw == "Data: Of tests"
    assert [person.full for person in record.authors] == ["Ada Lee", "The Team", "Jo Doe"]
    assert (record.publisher.raw, record.version, record.type) == ("Zenodo", "v1.2", "Dataset")
    assert record.date
    assert record.date.iso == "2021-03-04"
    assert record.published_dois == ("10.5555/p",)
