"""References in IEEE's and APA's style: set once per state of an entry, and kept beside the doctrees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.util import logging

from refkit.citation_styles import FOLDER, STYLES
from refkit.files import write_if_changed
from refkit.sphinxext.library import digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from refkit.citation_styles import Processor
    from refkit.hub import Item

logger = logging.getLogger(__name__)


class References:
    """Texts by digest of an entry and style. The processor is loaded only when one is to be set.

    Args:
        file: where the texts are kept.
        made_by: what sets them besides the processor and the styles; with another all are set again.
    """

    def __init__(self, file: Path, made_by: str) -> None:
        self._file = file
        self._made_by = digest(
            (made_by, _processor_version(), [_bytes(FOLDER / f"{one}.csl") for one in STYLES])
        )
        self._texts = self._load()
        self._processor: Processor | None = None

    def _load(self) -> dict[str, dict[str, str]]:
        try:
            data: Any = json.loads(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        if not isinstance(data, dict) or data.get("made by") != self._made_by:
            return {}
        return dict(data["texts"])

    def of(self, item: Item, mark: str) -> dict[str, str]:
        """The texts of a work by style; one that cannot be set is left out, and said so.

        Args:
            item: the work.
            mark: a digest of its entry.
        """
        found = self._texts.get(mark)
        if found is None:
            found = self._texts[mark] = self._set(item)
        return found

    def _set(self, item: Item) -> dict[str, str]:
        if self._processor is None:
            from refkit.citation_styles import Processor

            self._processor = Processor()
        out: dict[str, str] = {}
        for style, name in STYLES.items():
            try:
                text = self._processor.text(item, style)
            except (
                Exception
            ) as error:  # foreign code: whatever it stumbles over costs one text, not the build
                logger.info("citeproc-py cannot set %r in %s's style: %r", item.key, name, error)
                continue
            if text:
                out[style] = text
        return out

    def save(self, wanted: Iterable[str]) -> None:
        """Keep the texts of these digests for the next build."""
        texts = {mark: self._texts[mark] for mark in wanted if mark in self._texts}
        data = {"made by": self._made_by, "texts": texts}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write_if_changed(self._file, json.dumps(data, ensure_ascii=False, sort_keys=True).encode())


def _processor_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("citeproc-py")
    except PackageNotFoundError:
        return ""


def _bytes(path: Path) -> str:
    return path.read_text("utf-8")
