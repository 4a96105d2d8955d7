"""Reading and writing TeX values against latexcodec, pylatexenc and pybtex's Text.from_latex.

    python benchmarks/bench_tex.py [--entries N] [--rounds N] [--strict]

In this process, on the same strings: people, titles, abstracts and journals of a synthetic bibliography, each
once a round, all decoders one after another in every round. refkit keeps the last few thousand commands that
it met; it starts every round without any.
"""

from __future__ import annotations

import codecs
import logging
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from statistics import median
from time import process_time

from measure import Targets, parser, table
from synthetic import bibliography

from refkit.bibtex import read_text
from refkit.values import tex
from refkit.values.tex import read

Decoder = Callable[[str], str]
FIELDS = ("author", "editor", "title", "abstract", "journal", "booktitle")


def texts(entries: int) -> list[str]:
    """The raw values of a synthetic bibliography that hold text."""
    document = read_text("".join(bibliography(entries)))
    return [entry.fields[name] for entry in document.entries for name in FIELDS if name in entry]


def peers() -> Iterator[tuple[str, Decoder]]:
    """The peers: a name and what turns a value into text."""
    import latexcodec
    from pybtex.richtext import Text
    from pylatexenc.latex2text import LatexNodes2Text

    assert latexcodec.__name__  # importing it registers the codec
    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
    yield "latexcodec", lambda text: codecs.decode(text, "ulatex")
    yield "pylatexenc", LatexNodes2Text().latex_to_text
    yield "pybtex Text.from_latex", lambda text: str(Text.from_latex(text))


def ours() -> Iterator[tuple[str, Decoder]]:
    """Every direction of our own."""
    yield "refkit decode", tex.decode
    yield "refkit decode_html", lambda text: tex.decode_html(text, nocase=True)
    yield "refkit encode", tex.encode
    yield "refkit encode_ascii", tex.encode_ascii
    yield "refkit protect", tex.protect


def seconds(decoder: Decoder, values: list[str]) -> float:
    """Processor time for each value once."""
    read.forget()
    start = process_time()
    for value in values:
        decoder(value)
    return process_time() - start


def speed(values: list[str], rounds: int, targets: Targets) -> None:
    """Values a second, and the ratio of each round."""
    decoders = dict([*ours(), *peers()])
    costs: dict[str, list[float]] = {name: [] for name in decoders}
    for _ in range(rounds):
        for name, decoder in decoders.items():
            costs[name].append(seconds(decoder, values))
    rows = []
    for name in decoders:
        factor = median(one / base for one, base in zip(costs[name], costs["refkit decode"], strict=True))
        held = "" if name.startswith("refkit") else targets.hold(name, 1 / factor, 1 / 20)
        rows.append((name, f"{len(values) / median(costs[name]):,.0f}", f"{factor:.1f}", held))
    size = sum(map(len, values))
    title = f"{len(values):,} values, {size / 1e6:.1f} million characters"
    table(title, ("", "values/s", "time / refkit decode", "1 / ratio"), rows)


#: What a peer does otherwise, as it shows in its own output; the first that fits is the reason.
REASONS = (
    ("leaves formulas as TeX", r"\$"),
    ("leaves commands", r"\\[A-Za-z]"),
    ("leaves braces", r"[{}]"),
    ("leaves scripts as ^ and _", r"[\^_]"),
    ("parentheses around every root", r"√\("),
    ("overline for \\bar", "\u0305"),
    ("letters of the mathematical alphabets", "[\U0001d400-\U0001d7ff]"),
    ("blank for a thin space", "\u2009"),
)


def differences(values: list[str]) -> None:
    """How many values a peer reads otherwise, by reason."""
    rows = []
    for name, decoder in peers():
        reasons: Counter[str] = Counter()
        for value in values:
            try:
                theirs = tex.clean(decoder(value))
            except Exception as error:
                reasons[f"raises {type(error).__name__}"] += 1
                continue
            if theirs != tex.decode(value):
                reasons[reason(theirs)] += 1
        rows += [(name, why, f"{count:,}") for why, count in reasons.most_common()]
        rows.append((name, "the same text", f"{len(values) - reasons.total():,}"))
    table(f"What the peers read otherwise, of {len(values):,} values", ("peer", "reason", "values"), rows)


def reason(theirs: str) -> str:
    """Why a peer's text is not ours."""
    return next((words for words, sign in REASONS if re.search(sign, theirs)), f"other: {theirs[:60]!r}")


def main() -> int:
    """Runs the benchmark; with ``--strict`` the exit status is 1 where a target was missed."""
    arguments = parser(__doc__, rounds=5)
    arguments.add_argument("--entries", type=int, default=200)
    options = arguments.parse_args()
    values = texts(options.entries)
    targets = Targets()
    speed(values, 1 if options.quick else options.rounds, targets)
    differences(values)
    return int(bool(targets.report() and options.strict))


if __name__ == "__main__":
    sys.exit(main())
