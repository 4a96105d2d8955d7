"""Where citations lead and how they read."""

from __future__ import annotations

from tests.sphinxext.conftest import MakeBuild, MakeProject


def test_a_citation_leads_to_the_placement_on_the_same_page(built: MakeBuild) -> None:
    page = built("list").page("kernels/models")
    assert page.citations() == [("Dao et al. 2022", "#dao2022flashattention")]


def test_else_to_a_bibliography_on_the_same_page(built: MakeBuild) -> None:
    page = built("bibliographies").page("here")
    assert page.citations()[0] == ("Williams & Waterman 2009", "#cite-roof")
    assert page.main.one(id="cite-roof").text.startswith("[Williams & Waterman 2009")


def test_else_to_the_works_page(built: MakeBuild) -> None:
    build = built("list")
    assert build.page("index").citations() == [
        ("Dao et al. (2022)", "works/dao2022flashattention/index.html")
    ]
    assert build.page("kernels/attention").citations()[1] == (
        "CUDA Programming Guide",
        "../works/cudaguide/index.html",
    )


def test_else_to_a_bibliography_elsewhere(built: MakeBuild) -> None:
    page = built("bibliographies", refkit_work_pages=False).page("index")
    assert page.citations() == [("Beta 2010", "here.html#cite-beta")]


def test_else_to_the_first_placement_in_reading_order(project: MakeProject) -> None:
    one = project("list")
    one.edit("notes.rst", ", :cite:p:`cudaguide`", "")
    one.edit("kernels/attention.rst", ":cite:t:`cudaguide`", "the guide")
    build = one.build(refkit_work_pages=False)
    assert build.page("index").citations() == [
        ("Dao et al. (2022)", "kernels/attention.html#dao2022flashattention")
    ]
    assert build.page("notes").citations() == [
        ("Williams & Waterman 2009", "kernels/models.html#williams2009roofline")
    ]


def test_a_citation_that_leads_nowhere_is_reported_and_shown_as_text(built: MakeBuild) -> None:
    build = built("list", refkit_work_pages=False)
    assert "CUDA Programming Guide" not in [text for text, _ in build.page("notes").citations()]
    assert any("no page lists or places the work 'cudaguide'" in line for line in build.warnings)


def test_roles_read_as_natbib_readers_expect(built: MakeBuild) -> None:
    build = built("bibliographies")
    text = build.page("here").main.all("p")[0].text
    assert text == (
        "See [Williams & Waterman 2009; Beta 2010] and Alpha et al. (2011), [see Alpha et al. 2011, p. 3], "
        "Alpha, Gamma & Delta, 2011, Microscaling Formats, CUDA Guide, , [Williams & Waterman 2009], "
        "not cited."
    )


def test_a_work_in_two_sections_has_one_label_and_no_warning(built: MakeBuild) -> None:
    build = built("list")
    assert build.warnings == []
    labels = {text for name in ("index", "kernels/models") for text, _ in build.page(name).citations()}
    assert labels == {"Dao et al. (2022)", "Dao et al. 2022"}


def test_a_citation_has_a_card_that_says_what_it_leads_to(built: MakeBuild) -> None:
    page = built("list").page("notes")
    cards = page.main.one("div", cls="rk-cards")
    assert "hidden" in cards.attributes
    addresses = dict.fromkeys(address for _text, address in page.citations())
    assert [card.attributes["data-refkit-for"] for card in cards.all(cls="rk-card")] == list(addresses)
    first = cards.all(cls="rk-card")[0]
    assert first.one(cls="rk-card-name").text == "Roofline: An Insightful Visual Performance Model"
    assert first.one(cls="rk-byline").text.startswith("Samuel Williams and Andrew Waterman · ")
    assert "title" not in page.main.all("span", cls="bibtex-citation")[0].one("a").attributes


def test_a_card_follows_the_name_and_the_people_that_it_shows(project: MakeProject) -> None:
    one = project("list")
    one.build()
    one.edit("bib/models.bib", "Williams, Samuel", "Williams, Sam")
    assert "Sam Williams" in one.build().page("notes").main.one("div", cls="rk-cards").text
    one.edit(
        "kernels/models.rst", ":: williams2009roofline", ":: williams2009roofline\n   :title: The roofline"
    )
    build = one.build()
    assert build.page("notes").main.all(cls="rk-card-name")[0].text == "The roofline"
    assert build.files == one.build(out="clean").files


def test_where_there_are_no_cards_a_citation_shows_the_reference_as_its_tooltip(built: MakeBuild) -> None:
    page = built("list", "singlehtml").page("index")
    assert not page.root.all("div", cls="rk-cards")
    titles = [link.attributes.get("title", "") for link in page.root.all("a")]
    assert any(
        title.startswith("Samuel Williams and Andrew Waterman. Roofline: An Insig") for title in titles
    )


def test_tooltips_and_cards_can_be_left_out(built: MakeBuild) -> None:
    page = built("list", bibtex_tooltips=False).page("notes")
    assert "title" not in page.main.all("span", cls="bibtex-citation")[0].one("a").attributes
    assert not page.root.all("div", cls="rk-cards")


def test_a_citation_style_of_sphinxcontrib_bibtex_can_be_chosen(built: MakeBuild) -> None:
    build = built("bibliographies", bibtex_reference_style="author_year")
    assert build.page("index").main.all("span", cls="bibtex-citation")[0].text == "[Beta, 2010]"
    assert build.page("index").citations()[0][1] == "works/beta/index.html"


def test_a_citation_takes_the_label_of_the_bibliography_it_leads_to(built: MakeBuild) -> None:
    page = built("bibliographies").page("cited")
    assert page.main.one(id="cite-roof").all(cls="label")[0].text.startswith("[C")
    text, address = page.citations()[0]
    assert (text[0], address) == ("C", "#cite-roof")
