"""Rules that ask services, against services on the loopback."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.enrich import facts
from tests.enrich.server import Fault, Paper, Server, Work

from refkit.bibtex.reader import read_text
from refkit.check import online, registry, runner
from refkit.check.library import Library
from refkit.check.model import BIB, Example, Rule
from refkit.enrich.session import Session

if TYPE_CHECKING:
    from refkit.model import Diagnostic

from .conftest import TODAY

RULES = [rule for rule in registry.rules().values() if rule.needs == "network"]
#: Rules about repositories at hosts that no test asks.
ELSEWHERE = ("repository-moved", "repository-archived")


def prepare(server: Server, answers: Any) -> None:
    """Let the services answer as an example says."""
    for csl in answers.get("doi", ()):
        agency = csl.get("agency", "Crossref")
        server.add(Work({name: value for name, value in csl.items() if name != "agency"}, agency))
    server.add(*(Paper(**{**paper, "authors": list(paper["authors"])}) for paper in answers.get("arxiv", ())))
    for path, (status, headers, body) in answers.get("site", {}).items():
        target = {
            name: f"{server.base}/site{text}" if name == "Location" else text
            for name, text in headers.items()
        }
        server.pages[path] = (status, {"Content-Type": "text/html", **target}, body)
    for service in answers.get("fail", ()):
        server.fail(service, Fault(503))
    for service in answers.get("garbage", ()):
        fault = Fault(200) if service == "arxiv" else Fault(302, {"Location": "file:///etc/passwd"})
        server.fail(service, fault)
    for service in answers.get("malformed", ()):
        server.fail(service, Fault(400, {"Content-Type": "application/atom+xml"}, MALFORMED))


MALFORMED = b"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv Query</title><entry>
<id>https://arxiv.org/api/errors#incorrect_id_format_for_2401.00001</id><title>Error</title>
<summary>incorrect id format for 2401.00001</summary></entry></feed>"""


def ask(example: Example, server: Server, session: Session) -> list[Diagnostic]:
    """What all rules of the network find in an example."""
    prepare(server, example.answers)
    document = read_text(example.files[BIB].replace("SITE", f"{server.base}/site"), "refs.bib")
    library = Library(document.entries, [document], today=TODAY)
    codes = {rule.code for rule in RULES}
    asked = online.ask(library, session, codes)
    return runner.run(library, codes, reported=asked.diagnostics, extra=asked.findings).diagnostics


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule.code not in ELSEWHERE], ids=lambda rule: rule.code
)
def test_a_rule_finds_fault_with_its_failing_example(rule: Rule, server: Server, session: Session) -> None:
    found = ask(rule.bad, server, session)
    assert rule.code in {diagnostic.code for diagnostic in found}, found


def test_the_passing_examples_have_no_fault(server: Server, session: Session) -> None:
    for example in {rule.good.text: rule.good for rule in RULES}.values():
        assert ask(example, server, session) == []


def test_a_service_that_does_not_answer_leaves_the_work_unverified(server: Server, session: Session) -> None:
    server.fail("doi", Fault(503))
    document = read_text("@misc{k, title = {T}, doi = {10.5555/x}}", "refs.bib")
    asked = online.ask(Library(document.entries, [document]), session, {"doi-unreachable", "doi-dead"})
    assert asked.unverified
    assert "doi-dead" not in {diagnostic.code for diagnostic in asked.diagnostics}


def test_links_are_not_asked_for_where_only_identifiers_are_selected(
    server: Server, session: Session
) -> None:
    document = read_text(f"@misc{{k, title = {{T}}, url = {{{server.base}/site/a}}}}", "refs.bib")
    online.ask(Library(document.entries, [document]), session, {"doi-dead"})
    assert server.requests == []


# -- this project, where the acceptance data is present


@pytest.fixture(scope="module")
def bib(root: Path) -> str:
    """All entries of this project in one text."""
    return "\n".join(path.read_text("utf-8") for path in sorted((root / "bib").glob("*.bib")))


def ask_about(text: str, root: Path, session: Session) -> list[Diagnostic]:
    """What services say of entries, with the project's provenance."""
    from refkit import provenance

    document = read_text(text, "all.bib")
    recorded = provenance.load(root / "bib" / "provenance.json")
    library = Library(document.entries, [document], today=TODAY, provenance=recorded)
    return list(online.ask(library, session, set(online._OF_IDENTIFIERS)).diagnostics)


def test_services_that_know_the_truth_find_nothing_in_this_project(
    bib: str, root: Path, acceptance: Path, server: Server, session: Session
) -> None:
    server.add(*facts.load(acceptance))
    assert ask_about(bib, root, session) == []


MUTATED = (
    ("another work's DOI", "kwon2023pagedattention", "10.1145/3600006.3613165", "10.1145/3651890.3672274"),
    ("another work's arXiv id", "chen2023accelerating", "eprint = {2302.01318}", "eprint = {2405.04434}"),
    ("another first author", "milakov2018online", "Milakov, Maxim and", "Miller, Max and"),
    (
        "authors swapped",
        "patel2024splitwise",
        "Patel, Pratyush and Choukse, Esha",
        "Choukse, Esha and Patel, Pratyush",
    ),
    ("list cut", "frantar2023gptq", " and Hoefler, Torsten and Alistarh, Dan", ""),
    (
        "another title",
        "zhu2025megascale",
        "Serving Mixture-of-Experts at Scale",
        "Cooling Data Centres by Night",
    ),
    ("wrong year", "tillet2019triton", "date = {2019-06-22}", "date = {2017-06-22}"),
    ("other pages", "kwon2023pagedattention", "pages = {611--626}", "pages = {116--126}"),
)


@pytest.mark.parametrize(
    ("what", "key", "old", "new"), MUTATED, ids=lambda value: value if " " in value else ""
)
def test_services_that_know_the_truth_find_a_mutated_copy(
    what: str,
    key: str,
    old: str,
    new: str,
    bib: str,
    root: Path,
    acceptance: Path,
    server: Server,
    session: Session,
) -> None:
    server.add(*facts.load(acceptance))
    start = bib.index(f"{{{key},")
    at = bib.index(old, start)
    found = ask_about(bib[:at] + new + bib[at + len(old) :], root, session)
    assert (key, "mismatch") in {(one.key, one.code) for one in found}, what
