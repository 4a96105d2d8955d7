"""The whole site as one zip file, for readers without a network: equal bytes from equal pages."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

from refkit.sphinxext.site import hosting

#: The file, from the root of the output.
NAME = "offline.zip"
#: The folder in which the file's content lies.
FOLDER = "site"

#: Records of the build and files for hosts.
_LEFT_OUT = frozenset((NAME, ".buildinfo", ".buildinfo.bak", "robots.txt", "sitemap.xml", *hosting.NAMES))
#: The earliest time that a zip file can hold.
_TIME = (1980, 1, 1, 0, 0, 0)


def archive(outdir: Path) -> bytes:
    """The files of an output folder as a zip file, without records of the build."""
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name in sorted(_names(outdir)):
            info = zipfile.ZipInfo(f"{FOLDER}/{name}", _TIME)
            info.create_system, info.external_attr = 3, 0o100644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, (outdir / name).read_bytes())
    return held.getvalue()


def _names(outdir: Path) -> list[str]:
    found = (path.relative_to(outdir) for path in outdir.rglob("*") if path.is_file())
    return [
        path.as_posix()
        for path in found
        if path.as_posix() not in _LEFT_OUT and not path.parts[0].startswith(".doctrees")
    ]
