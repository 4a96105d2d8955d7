"""Tell where each value of an entry comes from, when it was fetched, and which other values lost.

examples:
  refkit explain dao2022flashattention
  refkit explain dao2022flashattention.title
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from refkit.cli import OK, UsageError, load_config

if TYPE_CHECKING:
    from refkit.enrich.explain import Origin
    from refkit.model import Entry
    from refkit.project import Project
    from refkit.provenance import Work


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("what", metavar="KEY[.FIELD]", help="an entry, or one of its fields")


def run(args: argparse.Namespace) -> int:
    """Print the origins."""
    from refkit import provenance
    from refkit.bibtex import UnreadableError
    from refkit.enrich.explain import explain
    from refkit.project import Project

    project = Project(load_config(args))
    try:
        entry, field = _chosen(project, args.what)
        work = provenance.work(project.provenance, entry.key)
    except (OSError, UnreadableError, provenance.ProvenanceError) as error:
        raise UsageError(str(error)) from error
    origins = explain(entry, work)
    if field:
        origins = [origin for origin in origins if origin.field == field]
        if not origins:
            there = ", ".join(entry.fields)
            raise UsageError(f"{entry.key!r} has no field {field!r}, and none is recorded; it has: {there}")
    else:
        _print_head(project, entry, work)
    for origin in origins:
        _print_origin(origin)
    if not field:
        _print_foot(entry, work)
    return OK


def _chosen(project: Project, what: str) -> tuple[Entry, str]:
    """The entry and the field; a key may hold stops itself."""
    bibliography = project.bibliography
    entry = bibliography.get(what) or bibliography.get(str(project.config.aliases.get(what, "")))
    if entry is not None:
        return entry, ""
    key, dot, field = what.rpartition(".")
    entry = bibliography.get(key) or bibliography.get(str(project.config.aliases.get(key, "")))
    if dot and entry is not None:
        return entry, field.lower()
    import difflib

    near = difflib.get_close_matches(what, bibliography.by_key, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise UsageError(f"there is no entry {what!r}{hint}")


def _print_head(project: Project, entry: Entry, work: Work) -> None:
    places = ", ".join(f"{section.slug} {placed.position}" for section, placed in project.pages.of(entry.key))
    print(f"{entry.key} ({entry.file}:{entry.line}" + (f"; placed in {places})" if places else ")"))
    if work.added:
        print(f"  added on {work.added}")
    if work.checked_on:
        print(f"  checked on {work.checked_on}" + (" against:" if work.checked_against else ""))
        for source in work.checked_against:
            print(f"    {source}")


def _print_origin(origin: Origin) -> None:
    when = f", {origin.date}" if origin.date else ""
    if origin.text:
        since = ", changed since it was taken from a record" if origin.changed else ""
        print(f"{origin.field}: {origin.text}\n    {origin.source}{when}{since}")
    else:
        print(f"{origin.field}: not there" + (f" (was taken from {origin.source}{when})" if when else ""))
    if origin.unverified:
        print(f"    not verified: {origin.unverified}")
    for lost in origin.lost:
        date = f", {lost.date}" if lost.date else ""
        print(f"    lost: {lost.value} ({lost.source or 'source not recorded'}{date})")


def _print_foot(entry: Entry, work: Work) -> None:
    from refkit.enrich.explain import status

    print(status(entry, work))
    for version in work.versions:
        facts = (version.title, version.date, version.doi, version.eprint, version.url, version.remark)
        print(f"other version: {version.what}: {'; '.join(filter(None, facts))}")
    for remark in work.remarks:
        print(f"remark: {remark}")
