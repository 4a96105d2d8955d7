"""Performance numbers in annotations: with hardware and baseline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from refkit.check.listing.annotations import annotated
from refkit.check.listing.example import GOOD, POE, project, source
from refkit.check.listing.findings import at_placement
from refkit.check.model import rule

if TYPE_CHECKING:
    from refkit.check.library import Library
    from refkit.check.model import Finding

_HARDWARE = re.compile(
    r"\b(?:A10|A40|A100|A6000|B100|B200|B300|GB200|GB300|GH200|H20|H100|H200|H800|L4|L40S?|P100|P4|T4"
    r"|V100|K80|GTX ?\d+|RTX ?\d+|G80|GT200|MI\d{2,3}X?|TPU ?v?\d\w*"
    r"|Trainium\d?|Inferentia\d?|Gaudi ?\d?|Xeon|EPYC|Opteron|Haswell|Ice Lake|DGX|HGX|Tesla|Titan|8800)\b"
)
_BASELINE = re.compile(
    r"\b(?:than|over|against|versus|vs|compared|relative to|baseline|of (?:the )?(?:peak|cuBLAS|cuDNN))\b"
)
_CLAIM = re.compile(
    r"\b\d+(?:[.,]\d+)?(?: ?(?:×|x\b|-fold\b|times (?:faster|slower|higher|lower|more|less|as)|%"
    r"|per ?cent|percent)"
    r"| ?(?:[KMGTPE]?(?:FLOPS?|FLOP/s|OPS|OP/s)|[KMGT]i?B/s|tokens?(?: per second|/s)|tok/s"
    r"|requests?(?: per second|/s)|QPS|images?/s|[µmn]s|milliseconds|microseconds)\b)"
    r"|\b(?:twice|double|doubles|doubled|halves|halved|triples|tenfold|twofold|threefold) (?:as (?:fast"
    r"|high|much)|the (?:speed|throughput|latency|bandwidth|performance))",
    re.IGNORECASE,
)


@rule(
    "performance-claim",
    "warning",
    needs="pages",
    bad=project(
        source(
            "lee2024", "Defines a kernel that is 2.3 times faster; the wheels are shown by :cite:t:`poe2023`."
        )
        + source("poe2023", POE)
    ),
    good=GOOD,
)
def performance_claim(library: Library) -> Iterator[Finding]:
    """A performance number in an annotation without the hardware it was measured on or without what it is
    compared with.

    A number that is no measurement (a size, a format, a count) is none of this.
    """
    for placed, text in annotated(library):
        found = _CLAIM.search(text)
        if found and not (_HARDWARE.search(text) and _BASELINE.search(text)):
            lacks = " and ".join(
                what
                for what, pattern in (("hardware", _HARDWARE), ("a baseline", _BASELINE))
                if not pattern.search(text)
            )
            yield at_placement(
                library,
                placed,
                f"{found[0]!r} without {lacks}: add them, with workload and precision, or leave the "
                f"number out",
            )
