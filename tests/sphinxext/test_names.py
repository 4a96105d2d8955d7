"""Folders and anchors made from keys."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from refkit.sphinxext.names import anchor, folder_names

SAFE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.+-]{0,98}[A-Za-z0-9_+-])?\Z")
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?\Z")
KEYS = st.lists(
    st.text(min_size=1, max_size=120) | st.sampled_from(["Key", "key", "KEY", "a/b", "..", "con.x", "é", "é"])
)


@given(KEYS)
def test_folders_are_safe_and_apart_without_regard_to_case(keys: list[str]) -> None:
    folders = folder_names(keys)
    assert all(SAFE.match(name) and not RESERVED.match(name) for name in folders.values())
    assert len({name.casefold() for name in folders.values()}) == len(set(keys))


@given(KEYS)
def test_the_order_of_keys_does_not_change_a_folder(keys: list[str]) -> None:
    assert folder_names(keys) == folder_names(reversed(keys))


def test_a_plain_key_names_its_folder() -> None:
    assert folder_names(["dao2022flash", "nvidia-cuda_1.0"]) == {
        "dao2022flash": "dao2022flash",
        "nvidia-cuda_1.0": "nvidia-cuda_1.0",
    }


def test_adding_a_key_that_differs_by_case_leaves_the_one_in_lower_case() -> None:
    folders = folder_names(["key", "Key"])
    assert folders["key"] == "key"
    assert re.fullmatch(r"Key-[0-9a-f]{10}", folders["Key"])


@given(st.text(max_size=80))
def test_anchors_are_plain_and_not_taken(key: str) -> None:
    taken: set[str] = set()
    for _ in range(3):
        name = anchor(key, taken)
        assert re.fullmatch(r"[A-Za-z0-9_.-]+", name)
        assert name not in taken
        taken.add(name)
