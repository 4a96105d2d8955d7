"""Keys for new entries."""

from __future__ import annotations

import pytest

from refkit.enrich.keys import propose
from refkit.model import Entry


@pytest.mark.parametrize(
    ("type", "fields", "key"),
    [
        (
            "misc",
            {"author": "Dao, Tri", "title": "{FlashAttention}: Fast", "date": "2022"},
            "dao2022flashattention",
        ),
        (
            "article",
            {"author": "Vaswani, A.", "title": "Attention Is All", "year": "2017"},
            "vaswani2017attention",
        ),
        (
            "article",
            {"author": "{Beurer-Kellner}, Luca", "title": "Guiding", "date": "2024"},
            "beurerkellner2024guiding",
        ),
        (
            "article",
            {"author": "Ré, Chris", "title": "The Über-Test of {GPUs}", "date": "2024"},
            "re2024ubertest",
        ),
        ("article", {"author": "de Jong, M.", "title": "A Study", "date": "2024"}, "dejong2024study"),
        (
            "misc",
            {
                "author": "{DeepSeek-AI}",
                "title": "{DeepSeek-V2}: A Strong",
                "date": "2024",
                "entrysubtype": "preprint",
            },
            "deepseekai2024deepseekv2",
        ),
        (
            "online",
            {"author": "{NVIDIA}", "title": "PTX ISA", "entrysubtype": "documentation"},
            "nvidia-ptx-isa",
        ),
        (
            "online",
            {"author": "{NVIDIA}", "title": "PTX ISA: 9.0", "date": "2025", "entrysubtype": "documentation"},
            "nvidia-ptx-isa",
        ),
        ("software", {"author": "{vLLM Project}", "title": "vLLM"}, "vllm-project"),
        ("online", {"title": "How to Sort a Very Long List"}, "how-to-sort-a"),
        ("article", {"author": "李, 明", "title": "排序", "date": "2024"}, "untitled2024"),
        ("article", {"author": "李, 明", "title": "{kernelkit}: fast", "date": "2024"}, "kernelkit2024"),
        ("article", {}, "untitled"),
    ],
)
def test_keys(type: str, fields: dict[str, str], key: str) -> None:
    assert propose(Entry("", type, fields), lambda _: False) == key


def test_a_letter_is_added_on_a_collision() -> None:
    entry = Entry("", "article", {"author": "Lee, Ada", "title": "Sorting", "date": "2024"})
    taken = {"lee2024sorting", "lee2024sortinga"}

    assert propose(entry, lambda key: key in taken) == "lee2024sortingb"


def test_there_is_always_a_key_left() -> None:
    entry = Entry("", "article", {"author": "Lee, Ada", "title": "Sorting", "date": "2024"})

    assert propose(entry, lambda key: len(key) < 17)
