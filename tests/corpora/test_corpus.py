from __future__ import annotations

import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

CORPUS = runpy.run_path(str(Path(__file__).with_name("corpus.py")))
#: Larger files take too long for a test; corpus.py reads them too.
MAX_BYTES = 60_000


def test_the_bib_files_of_tex_live_are_read_and_laid_out_without_loss() -> None:
    program = shutil.which("kpsewhich")
    if program is None:
        pytest.skip("TeX Live is not installed")
    found = subprocess.run([program, "-var-value=TEXMFDIST"], capture_output=True, text=True, check=True)
    folder = Path(found.stdout.strip()) / "bibtex" / "bib"
    count = 0
    for file in CORPUS["files"]([folder]):
        if len(file.data) <= MAX_BYTES:
            CORPUS["check"](file)
            count += 1
    assert count or not folder.is_dir()


def test_equal_files_of_a_corpus_count_once(tmp_path: Path) -> None:
    for name, text in [
        ("a.bib", "@misc{a}"),
        ("b.bib", "@misc{a}"),
        ("c.bib", "@misc{c}"),
        ("d.txt", "@misc{d}"),
    ]:
        (tmp_path / name).write_text(text)
    assert [Path(file.name).name for file in CORPUS["files"]([tmp_path])] == ["a.bib", "c.bib"]
