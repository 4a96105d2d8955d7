"""Style sheets and scripts as a site serves them: without comments and indentation, which nobody downloads to
read.

A comment has its lines for itself, or it stays. No text in backquotes goes over several lines.
"""

from __future__ import annotations

import re
from pathlib import Path

from refkit.files import write_if_changed

FOLDER = Path(__file__).parents[1] / "static"

#: A comment that begins and ends its lines; or the indentation of a line; or a line without text.
_COMMENT = re.compile(r"^[ \t]*/\*[^*]*\*+(?:[^/*][^*]*\*+)*/[ \t]*\n", re.M)
_LINE_COMMENT = re.compile(r"^[ \t]*//.*\n", re.M)
_BLANK = re.compile(r"^[ \t]+|^\n", re.M)


def lean(text: str, ending: str) -> str:
    """The text of a style sheet (``.css``) or script (``.js``) without comments and indentation."""
    text = _COMMENT.sub("", text)
    if ending == ".js":
        text = _LINE_COMMENT.sub("", text)
    return _BLANK.sub("", text)


def write(folder: Path) -> None:
    """Write what ``static`` holds to a folder, which then has nothing else; equal files are left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {path.name: path for path in FOLDER.iterdir() if path.suffix in (".css", ".js")}
    for name, path in wanted.items():
        write_if_changed(folder / name, lean(path.read_text("utf-8"), path.suffix).encode())
    for path in folder.iterdir():
        if path.name not in wanted:
            path.unlink()
