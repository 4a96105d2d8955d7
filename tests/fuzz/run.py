"""Looks for bytes that break reading, editing or layout, with atheris (libFuzzer), from the tests' files.

Usage: run.py [libFuzzer options], for example -max_total_time=600. What it finds it writes to crash-HASH.
"""

from __future__ import annotations

import runpy
import sys
import tempfile
from pathlib import Path

import atheris

HERE = Path(__file__).resolve().parent


def main() -> None:
    with atheris.instrument_imports(include=["refkit"]):
        target = runpy.run_path(str(HERE / "test_bibtex.py"))
    with tempfile.TemporaryDirectory() as corpus:
        for number, path in enumerate(target["SEEDS"]):
            (Path(corpus) / f"{number}.bib").write_bytes(path.read_bytes()[:4000])
        options = sys.argv[1:] or ["-max_total_time=60"]
        atheris.Setup(
            [sys.argv[0], *options, "-timeout=10", "-rss_limit_mb=4096", "-max_len=4096", corpus],
            target["check"],
        )
        atheris.Fuzz()


if __name__ == "__main__":
    main()
