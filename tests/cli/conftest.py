from __future__ import annotations

import shutil
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parent.parent / "data" / "edit"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two sections, as the working folder."""
    folder = tmp_path / "project"
    shutil.copytree(DATA / "project", folder)
    monkeypatch.chdir(folder)
    return folder
