"""The bibliography of this project is whole and well formed, as other programs read it.

pybtex reads here, not refkit: what these tests say about the files must not depend on our own reader.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pybtex.database import Entry

VERIFIED_ON = "2026-08-23"
WORKS = 119

#: Fields in the order in which an entry gives them.
# fmt: off
FIELD_ORDER = (
    "author", "editor", "title", "shorttitle", "booktitle", "titleaddon", "number", "volume", "series",
    "edition", "eventtitle", "venue", "publisher", "organization", "institution", "type", "version", "date",
    "pages", "isbn", "doi", "eprint", "eprinttype", "archiveprefix", "primaryclass", "url", "urldate",
    "entrysubtype", "note",
)
# fmt: on

#: (type, entrysubtype) -> fields that this kind of work may not lack.
KINDS = {
    ("inproceedings", None): {"booktitle", "date", "eventtitle"},
    ("misc", "preprint"): {"date", "eprint", "eprinttype", "archiveprefix", "primaryclass"},
    ("online", "documentation"): {"titleaddon"},
    ("online", "blog"): {"titleaddon", "date"},
    ("software", None): {"date"},
    ("software", "dataset"): {"date"},
    ("report", None): {"institution", "type", "date"},
    ("report", "standard"): {"institution", "type", "version"},
    ("book", None): {"publisher", "date", "isbn"},
}
#: Where each kind names its publisher and its container; the others are not used.
PUBLISHER = {
    "inproceedings": "publisher",
    "book": "publisher",
    "online": "organization",
    "software": "organization",
    "report": "institution",
}
CONTAINER = {"inproceedings": "booktitle", "online": "titleaddon"}
#: List fields of BibLaTeX, which split at a bare "and" (biblatex manual, 2.2.1).
LIST_FIELDS = ("publisher", "organization", "institution")
#: Fields that programs take as they stand, without TeX.
RAW_FIELDS = {"url", "doi", "eprint"}

RELATED_KINDS = {
    "code",
    "dataset",
    "docs",
    "moved to",
    "other version",
    "paper",
    "post",
    "proceedings",
    "slides",
    "video",
}
#: Members of a work in provenance, and what an unverified fact may be about besides a field.
MEMBERS = {"added", "checked", "cite-as", "fields", "no-date", "related", "remarks", "unverified", "versions"}
UNVERIFIED_BESIDES_FIELDS = {"related", "cite-as", "versions"}
VERSION_MEMBERS = {"what", "title", "author", "date", "url", "doi", "eprint", "remark"}

DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
WEB_ADDRESS = re.compile(r"https?://[^\s{}<>\\^`|\"]+")


def kind(entry: Entry) -> tuple[str, str | None]:
    return entry.type, entry.fields.get("entrysubtype")


def first_places(docs: Path) -> dict[str, list[str]]:
    """Slug of each section -> the works it places before any other section, by the pages' own text."""
    index = (docs / "index.rst").read_text("utf-8")
    seen: set[str] = set()
    places: dict[str, list[str]] = {}
    for target in re.findall(r"^   ([\w-]+/[\w-]+)$", index, re.M):
        page = (docs / f"{target}.rst").read_text("utf-8")
        placed = re.findall(r"^\.\. source:: (\S+)$", page, re.M)
        if first := [key for key in dict.fromkeys(placed) if key not in seen]:
            places[target.split("/")[1]] = first
        seen.update(placed)
    return places


# -- the files -----------------------------------------------------------------


def test_every_work_is_there_once(by_file: dict[str, dict[str, Entry]]) -> None:
    keys = [key.lower() for group in by_file.values() for key in group]
    assert len(keys) == WORKS
    assert len(set(keys)) == WORKS


def test_no_entry_is_hidden_from_a_reader(files: list[Path], entries: dict[str, Entry]) -> None:
    text = "\n".join(file.read_text("utf-8") for file in files)
    assert sorted(re.findall(r"^@\w+\{([^,]+),$", text, re.M)) == sorted(entries)


def test_a_work_stands_in_the_file_of_its_first_section_in_reading_order(
    by_file: dict[str, dict[str, Entry]], root: Path
) -> None:
    assert {slug: list(group) for slug, group in by_file.items()} == first_places(root / "docs")


def test_files_are_laid_out_alike(files: list[Path]) -> None:
    line = re.compile(r"(?:@[a-z]+\{[a-z0-9-]+,|  [a-z]+ = \{.+\},|\}|)")
    for file in files:
        comment, *body = file.read_bytes().decode("utf-8").split("\n")
        assert comment.startswith("% "), file.name
        assert "@" not in comment, f"{file.name}: Zotero takes what follows an @ in a comment for an entry"
        assert [text for text in body if not line.fullmatch(text)] == [], file.name
        assert body[0] == body[-1] == "", file.name
        assert "\n\n\n" not in "\n".join(body), file.name


def test_text_is_nfc_without_invisible_characters(files: list[Path], provenance_text: str) -> None:
    invisible = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
    for text in [*(file.read_text("utf-8") for file in files), provenance_text]:
        assert unicodedata.is_normalized("NFC", text), text[:80]
        odd = {char for char in text if unicodedata.category(char) in invisible} - {"\n"}
        assert odd == set(), text[:80]


# -- the entries ---------------------------------------------------------------


def test_fields_come_in_the_order_of_the_project(files: list[Path]) -> None:
    for file in files:
        for block in file.read_text("utf-8").split("\n@")[1:]:
            names = re.findall(r"^  ([a-z]+) = ", block, re.M)
            assert names == sorted(names, key=FIELD_ORDER.index), block.partition(",")[0]
            assert len(names) == len(set(names)), block.partition(",")[0]


def test_every_kind_has_its_fields(entries: dict[str, Entry]) -> None:
    for key, entry in entries.items():
        always = {"title", "shorttitle", "url", "urldate"}
        assert entry.persons.get("author"), key
        missing = (KINDS[kind(entry)] | always) - set(entry.fields)
        unsure_date = {"date"} if entry.type == "report" else set()
        assert missing <= unsure_date, f"{key} lacks {missing}"


def test_every_kind_names_publisher_and_container_in_one_way(entries: dict[str, Entry]) -> None:
    for key, entry in entries.items():
        used = set(entry.fields)
        assert used & set(PUBLISHER.values()) <= {PUBLISHER.get(entry.type)}, key
        assert used & set(CONTAINER.values()) <= {CONTAINER.get(entry.type)}, key


def test_every_work_says_when_its_address_was_visited(entries: dict[str, Entry]) -> None:
    assert {entry.fields["urldate"] for entry in entries.values()} == {VERIFIED_ON}


def test_a_preprint_has_no_container_and_no_publisher(entries: dict[str, Entry]) -> None:
    preprints = [entry for entry in entries.values() if kind(entry) == ("misc", "preprint")]
    assert preprints
    for entry in preprints:
        assert not set(entry.fields) & {"number", "howpublished", "journaltitle", "doi"}, entry.key


def test_an_arxiv_id_comes_with_its_archive_and_class(entries: dict[str, Entry]) -> None:
    names = {"eprint", "eprinttype", "archiveprefix", "primaryclass"}
    for key, entry in entries.items():
        assert names & set(entry.fields) in (set(), names), key
        if "eprint" in entry.fields:
            assert re.fullmatch(r"\d{4}\.\d{4,5}", entry.fields["eprint"]), key
            assert (entry.fields["eprinttype"], entry.fields["archiveprefix"]) == ("arxiv", "arXiv"), key
            assert re.fullmatch(r"[a-z]+(?:-[a-z]+)?\.[A-Z]{2}", entry.fields["primaryclass"]), key


def test_dates_and_pages_have_the_form_of_biblatex(entries: dict[str, Entry]) -> None:
    for key, entry in entries.items():
        assert DATE.fullmatch(entry.fields.get("date", VERIFIED_ON)), key
        assert entry.fields.get("date", "") <= VERIFIED_ON, key
        if pages := entry.fields.get("pages"):
            first, last = (int(end.rpartition(":")[2]) for end in pages.split("--"))
            assert first < last, key


def test_isbns_have_a_right_check_digit(entries: dict[str, Entry]) -> None:
    isbns = {key: entry.fields["isbn"] for key, entry in entries.items() if "isbn" in entry.fields}
    assert isbns
    for key, isbn in isbns.items():
        digits = [int(digit) for digit in isbn.replace("-", "")]
        assert len(digits) == 13, key
        assert sum(digit * weight for digit, weight in zip(digits, (1, 3) * 7, strict=False)) % 10 == 0, key


def test_addresses_and_identifiers_are_bare(entries: dict[str, Entry]) -> None:
    for key, entry in entries.items():
        assert WEB_ADDRESS.fullmatch(entry.fields["url"]), key
        if doi := entry.fields.get("doi"):
            assert re.fullmatch(r"10\.\d{4,9}/[\w.()/:-]*\w", doi), key


def test_special_characters_of_tex_are_escaped_in_text_only(entries: dict[str, Entry]) -> None:
    for key, entry in entries.items():
        for name, value in entry.fields.items():
            bare = re.search(r"(?<!\\)[&%#$_^~]", value)
            assert name in RAW_FIELDS or not bare, f"{key}.{name}: {value}"
            assert name not in RAW_FIELDS or "\\" not in value, f"{key}.{name}: {value}"


def test_a_list_field_with_and_in_a_name_stays_one_name(entries: dict[str, Entry]) -> None:
    for key, entry in entries.items():
        for name in LIST_FIELDS:
            value = entry.fields.get(name, "")
            assert " and " not in value or (value[0], value[-1]) == ("{", "}"), f"{key}.{name}: {value}"


def test_an_organisation_is_one_name(entries: dict[str, Entry]) -> None:
    for key, entry in entries.items():
        for person in [*entry.persons["author"], *entry.persons.get("editor", [])]:
            family = " ".join(person.last_names)
            braced = re.fullmatch(r"\{[^{}]+\}", family)
            assert family, key
            assert person.first_names or braced, f"{key}: {family} has neither a given name nor braces"
            assert not person.lineage_names, f"{key}: {person}"


def test_a_particle_is_no_part_of_the_family_name(entries: dict[str, Entry]) -> None:
    people = [person for entry in entries.values() for group in entry.persons.values() for person in group]
    assert {str(person) for person in people if person.prelast_names} == {"de Jong, Michiel"}
    families = {" ".join(person.last_names) for person in people if len(person.last_names) > 1}
    assert families == {"El Hajj", "De Sa", "St. John"}


def sentence_case(title: str) -> str:
    """As ``change.case$`` of BibTeX sets it: lower case outside braces, not at the start or after a colon."""
    done, depth = "", 0
    for position, char in enumerate(title):
        depth += (char == "{") - (char == "}")
        kept = depth or position == 0 or re.search(r":\s+\Z", title[:position])
        done += char if kept else char.lower()
    return done.replace("{", "").replace("}", "")


def test_sentence_case_harms_no_acronym_and_no_name(entries: dict[str, Entry]) -> None:
    """Whatever has capitals beyond its first letter, or is a name with a digit, is protected."""
    acronym = re.compile(r"\b[A-Z][a-z]*[A-Z]\w*|\b[a-z]+[A-Z]\w*|\b[A-Z]\d\w*|C\+\+")
    names = ("Hopper", "Blackwell", "Rubin", "Clockwork", "Ironwood", "Inferentia2", "Ethernet")
    for key, entry in entries.items():
        raw = entry.fields["title"]
        plain, lowered = raw.replace("{", "").replace("}", ""), sentence_case(raw)
        for word in [*acronym.findall(plain), *(name for name in names if name in plain)]:
            assert word in lowered, f"{key}: {word} is lost in {lowered!r}"


def test_no_title_is_protected_as_a_whole(entries: dict[str, Entry]) -> None:
    for key, entry in entries.items():
        whole = re.fullmatch(r"\{([^{}]*)\}", entry.fields["title"])
        assert not whole or " " not in whole[1], key


# -- provenance ----------------------------------------------------------------


def test_provenance_is_canonical_json(provenance_text: str) -> None:
    data = json.loads(provenance_text)
    assert set(data) == {"version", "works"}
    assert data["version"] == 1
    assert provenance_text == json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def test_provenance_knows_exactly_the_works(provenance: dict[str, Any], entries: dict[str, Entry]) -> None:
    assert set(provenance) == set(entries)


def test_provenance_says_what_every_work_was_checked_against(provenance: dict[str, Any]) -> None:
    for key, work in provenance.items():
        assert set(work) <= MEMBERS, key
        assert work["checked"]["against"], key
        assert (work["added"], work["checked"]["on"]) == (VERIFIED_ON, VERIFIED_ON), key
        for source in work["checked"]["against"]:
            assert not source.startswith("http") or WEB_ADDRESS.fullmatch(source), f"{key}: {source}"


def test_related_addresses_are_of_a_known_kind_and_named_once(
    provenance: dict[str, Any], entries: dict[str, Entry]
) -> None:
    for key, work in provenance.items():
        addresses = [link["url"] for link in work.get("related", [])]
        assert len({entries[key].fields["url"], *addresses}) == len(addresses) + 1, key
        for link in work.get("related", []):
            assert link["kind"] in RELATED_KINDS, key
            assert WEB_ADDRESS.fullmatch(link["url"]), key
            assert set(link) <= {"kind", "url", "label", "verified"}, key
            assert link.get("verified", False) is False, f"{key}: verified is said only where it is false"


def test_an_unconfirmed_address_is_explained(provenance: dict[str, Any]) -> None:
    for key, work in provenance.items():
        if any("verified" in link for link in work.get("related", [])):
            assert "related" in work["unverified"], key


def test_unverified_facts_are_facts_of_the_work(provenance: dict[str, Any]) -> None:
    for key, work in provenance.items():
        for name, what in work.get("unverified", {}).items():
            assert name in FIELD_ORDER or name in UNVERIFIED_BESIDES_FIELDS, f"{key}: {name}"
            assert name not in UNVERIFIED_BESIDES_FIELDS or work.get(name), f"{key} has no {name}"
            assert what, key


def test_a_work_without_date_is_said_to_have_none(
    provenance: dict[str, Any], entries: dict[str, Entry]
) -> None:
    assert {key for key, work in provenance.items() if work.get("no-date")} == {
        key for key, entry in entries.items() if "date" not in entry.fields
    }


def test_other_versions_differ_from_the_work(provenance: dict[str, Any]) -> None:
    for key, work in provenance.items():
        versions = work.get("versions", [])
        for version in versions:
            assert set(version) <= VERSION_MEMBERS, key
            assert version["what"], key
            assert len(version) > 1, key
            assert DATE.fullmatch(version.get("date", VERIFIED_ON)), key
            for person in version.get("author", []):
                assert re.fullmatch(r"\{.+\}|[^,{}]+, [^,{}]+", person), f"{key}: {person}"
        assert len({json.dumps(version, sort_keys=True) for version in versions}) == len(versions), key


def test_a_published_paper_keeps_its_preprint_as_a_version(
    provenance: dict[str, Any], entries: dict[str, Entry]
) -> None:
    for key, entry in entries.items():
        if "eprint" in entry.fields and kind(entry) != ("misc", "preprint"):
            preprint = next(v for v in provenance[key]["versions"] if v["what"] == "preprint")
            assert preprint["eprint"] == entry.fields["eprint"], key
            assert preprint["date"][: len(entry.fields["date"])] <= entry.fields["date"], key


def test_a_requested_citation_names_people_and_title(provenance: dict[str, Any]) -> None:
    for key, work in provenance.items():
        if cite := work.get("cite-as"):
            assert set(cite) <= {"type", "fields", "remark"}, key
            assert cite["type"] in {"article", "inproceedings", "misc", "software"}, key
            assert {"author", "title"} <= set(cite["fields"]), key
            assert {"year", "date"} & set(cite["fields"]), key
            assert not any("\\" in value or "{\\" in value for value in cite["fields"].values()), key


# -- other programs ------------------------------------------------------------


def test_biber_reads_every_file_without_a_warning(
    files: list[Path], entries: dict[str, Entry], program: Callable[[str, str], Path], tmp_path: Path
) -> None:
    latex = program("pdflatex", "texlive-latex-recommended texlive-bibtex-extra")
    biber = program("biber", "biber")
    for file in files:
        shutil.copy(file, tmp_path)
    resources = "".join(f"\\addbibresource{{{file.name}}}\n" for file in files)
    (tmp_path / "all.tex").write_text(
        "\\documentclass{article}\n\\usepackage[backend=biber]{biblatex}\n"
        f"{resources}\\begin{{document}}\\nocite{{*}}\\printbibliography\\end{{document}}\n",
        encoding="utf-8",
    )
    run(latex, "-interaction=batchmode", "-no-shell-escape", "all", cwd=tmp_path)
    output = run(biber, "all", cwd=tmp_path)
    problems = [line for line in output.splitlines() if line.startswith(("WARN", "ERROR"))]
    # biber's table of ISBN ranges predates the group 979-8; the check digits are tested above.
    assert [line for line in problems if "ISBN '979-8-" not in line] == []
    bbl = (tmp_path / "all.bbl").read_text("utf-8")
    assert set(re.findall(r"\\entry\{([^}]+)\}", bbl)) == set(entries)
    assert re.search(r"family=\{Jong\},\s*familyi=\{J\\bibinitperiod\},\s*given=\{Michiel\}", bbl)
    assert re.search(r"prefix=\{de\}", bbl)


def run(program: Path, *arguments: str, cwd: Path) -> str:
    done = subprocess.run(
        [str(program), *arguments], cwd=cwd, capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
