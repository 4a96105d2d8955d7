"""Forty slips in the project's own files, written from the files alone, without a look at the rules.

Each is an edit of one file that a hurried curator, a merge, a copied line or a sloppy tool makes. What a
checker must say about it is put in words, as a regular expression that the code or the message has to fit,
not as a rule's name.
"""

from __future__ import annotations

from typing import NamedTuple


class Slip(NamedTuple):
    """One edit of one file, and what has to be said about it."""

    #: A short name of the slip.
    what: str
    #: Relative to the project's folder.
    file: str
    #: The edit is made at the first place behind this text (the start of the entry, the source, the record).
    after: str
    old: str
    new: str
    #: The key that the finding is about, or that its message names; empty where there is none.
    key: str
    #: Searched, without regard to case, in "code: message" of a finding.
    says: str
    #: The least severity.
    least: str = "warning"


def _bib(what: str, section: str, key: str, old: str, new: str, says: str, least: str = "warning") -> Slip:
    return Slip(what, f"bib/{section}.bib", f"{{{key},", old, new, key, says, least)


def _page(what: str, page: str, key: str, old: str, new: str, says: str, least: str = "warning") -> Slip:
    return Slip(what, f"docs/{page}.rst", f".. source:: {key}\n" if key else "", old, new, key, says, least)


def _record(what: str, key: str, old: str, new: str, says: str, least: str = "warning") -> Slip:
    return Slip(what, "bib/provenance.json", f'"{key}": {{', old, new, key, says, least)


_SCHOLAR = r"""@article{dao2022flash,
  title = {Flashattention: Fast and memory-efficient exact attention with io-awareness},
  author = {Dao, Tri and Fu, Dan and Ermon, Stefano and Rudra, Atri and R{\'e}, Christopher},
  journal = {Advances in neural information processing systems},
  volume = {35},
  pages = {16344--16359},
  year = {2022},
}

"""

_ETALON_START = """   TTFT, TBT, TPOT and normalized latency each hide something, an average TPOT, for
   instance, a decode stall; the *fluidity index* gives every token a deadline and reports
   the share that was met. Goodput as a design target comes later, in DistServe
   :cite:p:`zhong2024distserve`, and load generation in MLPerf Inference
   :cite:p:`reddi2020mlperf`.
"""

_ETALON_BENCHMARKS = """   Here as a procedure: set the first-token target by prompt length and a pace for the
   rest, let early tokens save up slack, then raise the load until too few requests keep
   to their deadlines. Hosted APIs are tested as black boxes, own servers for capacity; it
   is stricter than DistServe's goodput :cite:p:`zhong2024distserve`, because a stall
   cannot be averaged away.
"""

SLIPS = (
    # -- names
    _bib(
        "the word between two names mistyped",
        "attention",
        "shah2024flashattention3",
        "Shah, Jay and Bikshandi, Ganesh",
        "Shah, Jay nad Bikshandi, Ganesh",
        r"name|suffix|comma",
    ),
    _bib(
        "given and family name exchanged, right in other entries",
        "attention",
        "zadouri2026flashattention4",
        "Dao, Tri}",
        "Tri, Dao}",
        r"swap|exchang|revers|order|variant|other way|elsewhere",
    ),
    _bib(
        "a footnote mark of the title page in a name",
        "scheduling",
        "kwon2023pagedattention",
        "Kwon, Woosuk and",
        "Kwon, Woosuk∗ and",
        r"name|mark|character|footnote|symbol",
    ),
    _bib(
        "one person twice in a list, with and without initial, after a merge of two lists",
        "scheduling",
        "zheng2024sglang",
        "Gonzalez, Joseph E. and Barrett",
        "Gonzalez, Joseph E. and Gonzalez, Joseph and Barrett",
        r"twice|repeat|duplicat|same person|more than once",
    ),
    _bib(
        "order of the first two authors changed, against the key",
        "scheduling",
        "kwon2023pagedattention",
        "Kwon, Woosuk and Li, Zhuohan and",
        "Li, Zhuohan and Kwon, Woosuk and",
        r"\bkey\b|key-",
        "info",
    ),
    # -- titles
    _bib(
        "hyphenation of a line's end left in a title",
        "scheduling",
        "kwon2023pagedattention",
        "Efficient Memory Management",
        "Efficient Memory Manage- ment",
        r"hyphen|line break|broken word|split word",
    ),
    _bib(
        "title of the entry above copied",
        "speculative-decoding",
        "li2024eagle",
        "{EAGLE}: Speculative Sampling Requires Rethinking Feature Uncertainty",
        "Medusa: Simple {LLM} Inference Acceleration Framework with Multiple Decoding Heads",
        r"(same|duplicat|equal|shared?).*title|title.*(same|duplicat|cai2024medusa|twice)",
    ),
    _bib(
        "short title of the entry above copied",
        "speculative-decoding",
        "li2024eagle",
        "shorttitle = {EAGLE}",
        "shorttitle = {Medusa}",
        r"short-?title",
        "info",
    ),
    # -- TeX
    _bib(
        "letter taken for a command",
        "start-here",
        "vaswani2017attention",
        "Kaiser, Łukasz",
        r"Kaiser, \Lukasz",
        r"command|macro|\btex\b|\\lukasz",
    ),
    # -- identifiers
    _bib(
        "digits of the arXiv id exchanged, the address still right",
        "scheduling",
        "kwon2023pagedattention",
        "eprint = {2309.06180}",
        "eprint = {2309.06810}",
        r"(eprint|arxiv).*(url|address|link)|(url|address|link).*(eprint|arxiv)",
    ),
    _bib(
        "arXiv id of a month that does not exist",
        "start-here",
        "pope2023efficiently",
        "eprint = {2211.05102}",
        "eprint = {2231.05102}",
        r"eprint|arxiv",
        "error",
    ),
    _bib(
        "ISBN of another year's proceedings, its check digit right",
        "production",
        "fu2024serverlessllm",
        "isbn = {978-1-939133-40-3}",
        "isbn = {978-1-939133-45-8}",
        r"isbn",
    ),
    _bib(
        "address copied from a feed, with its tracking parameters",
        "watchlist",
        "alvarez2026rubin",
        "agentic-ai/}",
        "agentic-ai/?utm_source=rss&utm_medium=feed}",
        r"track|utm|query|parameter",
        "info",
    ),
    # -- dates
    _bib(
        "year of the publication one too small, before its own preprint",
        "attention",
        "zadouri2026flashattention4",
        "date = {2026-05-18}",
        "date = {2025-05-18}",
        r"eprint|arxiv|\bkey\b|event|booktitle",
    ),
    _bib(
        "page visited before it was there",
        "parallelism",
        "uec2026spec",
        "urldate = {2026-08-23}",
        "urldate = {2025-08-23}",
        r"urldate|visit|access",
    ),
    _bib(
        "event of the next year, against date and proceedings",
        "speculative-decoding",
        "leviathan2023fast",
        "eventtitle = {ICML 2023}",
        "eventtitle = {ICML 2024}",
        r"event",
    ),
    # -- pages
    _bib(
        "pages of another paper of the same proceedings copied",
        "production",
        "fu2024serverlessllm",
        "pages = {135--153}",
        "pages = {193--210}",
        r"pages",
    ),
    _bib(
        "last page abbreviated as a journal's style does",
        "speculative-decoding",
        "cai2024medusa",
        "pages = {5209--5235}",
        "pages = {5209--35}",
        r"pages?\b",
    ),
    # -- types and fields
    _bib(
        "a whole book entered as a part of one",
        "start-here",
        "hwu2022programming",
        "",
        "",
        r"booktitle|type|inbook",
    )._replace(after="", old="@book{hwu2022programming,", new="@inbook{hwu2022programming,"),
    _bib(
        "a placeholder left where a publisher was not known",
        "matmul",
        "volkov2008benchmarking",
        "publisher = {IEEE Press}",
        "publisher = {N/A}",
        r"placeholder|filler|dummy|stand-?in|says nothing|no value|n/a",
    ),
    _bib(
        "digits of the volume exchanged, against address and other papers of the event",
        "kv-cache",
        "liu2024kivi",
        "volume = {235}",
        "volume = {253}",
        r"volume",
    ),
    _bib(
        "publisher in a form that no other entry of the series has",
        "production",
        "gujarati2020clockwork",
        "publisher = {USENIX Association}",
        "publisher = {USENIX}",
        r"publisher|spell",
        "info",
    ),
    # -- duplicates
    _bib(
        "a work of the list entered again from a search engine's export",
        "attention",
        "dao2022flash",
        "",
        "",
        r"duplicat|same (work|title)|similar|alike|\bagain\b|twice|contained",
    )._replace(after="", old="@software{flashinfer,", new=_SCHOLAR + "@software{flashinfer,"),
    # -- references between entries
    _bib(
        "related work with a letter missing in its key",
        "scheduling",
        "vllm",
        "date = {2023-06},",
        "date = {2023-06},\n  related = {kwon2023pagedatention},",
        r"related|dangling|kwon2023pagedatention",
    ),
    _bib(
        "an old key that is the key of another entry",
        "attention",
        "dao2024flashattention2",
        "date = {2024-05},",
        "date = {2024-05},\n  ids = {dao2022flashattention},",
        r"\bids\b|alias|collision|duplicate-key|already",
        "error",
    ),
    # -- pages of the project
    _page(
        "first line of an annotation not indented",
        "engines/speculative-decoding",
        "cai2024medusa",
        "   Trains extra heads",
        "Trains extra heads",
        r"annotation|indent|words",
    ),
    _page(
        "annotation of the other place of a work copied",
        "distributed/serving-benchmarks",
        "agrawal2024etalon",
        _ETALON_BENCHMARKS,
        _ETALON_START,
        r"annotation.*(same|twice|repeat|identical|equal|copied)|(same|twice|repeat|identical|equal|copied).*annotation",
    ),
    _page(
        "colon before a role lost",
        "engines/kv-cache",
        "liu2024kivi",
        ":cite:p:`frantar2023gptq`",
        "cite:p:`frantar2023gptq`",
        r"\brole\b|cite|backtick|backquote|markup",
    ),
    _page(
        "annotation that refers to its own source",
        "engines/kv-cache",
        "ainslie2023gqa",
        ":cite:t:`chen2022transformer`",
        ":cite:t:`ainslie2023gqa`",
        r"itself|\bself\b|self-|its own",
    ),
    _page(
        "number of works in the introduction not brought up to date",
        "index",
        "",
        "Each of the 119 works",
        "Each of the 118 works",
        r"\b11[89]\b",
        "info",
    ),
    _page(
        "speed-up quoted without hardware, workload and baseline",
        "engines/kv-cache",
        "liu2024kivi",
        "tokens in full precision.",
        "tokens in full precision, for 2.35x to 3.47x the throughput.",
        r"number|figure|measure|claim|performance|speed-?up",
        "info",
    ),
    # -- watchlist
    _page(
        "month and day of a review date exchanged",
        "evolving/watchlist",
        "alvarez2026rubin",
        ":review: 2027-02-23",
        ":review: 2027-23-02",
        r"review|date",
    ),
    # -- provenance
    Slip(
        "a record twice after a merge",
        "bib/provenance.json",
        "",
        '  "amd-aiter": {',
        '  "alvarez2026rubin": {\n   "added": "2026-08-23"\n  },\n  "amd-aiter": {',
        "alvarez2026rubin",
        r"twice|duplicat|repeat|more than once|double",
    ),
    _record(
        "day of the check in the future",
        "amd-cdna4-isa",
        '"on": "2026-08-23"',
        '"on": "2062-08-23"',
        r"future|after|later|ahead|2062|to come",
    ),
    _record(
        "field said to be unverified that does not exist",
        "alvarez2026rubin",
        '"author": "the byline',
        '"autor": "the byline',
        r"unverified|autor",
    ),
    _record(
        "arXiv id of a version with digits exchanged, against the entry and its own address",
        "kwon2023pagedattention",
        '"eprint": "2309.06180"',
        '"eprint": "2309.06810"',
        r"version|eprint|arxiv",
    ),
    # -- characters
    _bib(
        "accent apart from its letter, as copied from a PDF",
        "worklogs",
        "gordic2025matmul",
        "author = {Gordić, Aleksa}",
        "author = {Gordi´c, Aleksa}",
        r"accent|encod|character|unicode|´|diacrit",
    ),
    _bib(
        "Cyrillic letter that looks like a Latin one",
        "start-here",
        "chen2022transformer",
        "author = {Chen, Carol}",
        "author = {\N{CYRILLIC CAPITAL LETTER ES}hen, Carol}",
        r"cyrillic|script|look|homoglyph|confus|mixed",
    ),
    _page(
        "text read with the wrong encoding and written back",
        "distributed/serving-benchmarks",
        "agrawal2024etalon",
        "DistServe's goodput",
        "DistServeâ€™s goodput",
        r"encod|mojibake|character|garbled",
    ),
    Slip(
        "a letter in Latin-1 in a file of UTF-8",
        "bib/other-stacks.bib",
        "{hu2025hipkittens,",
        "Ré, Christopher",
        "R\udce9, Christopher",
        "",
        r"encod|utf|decod",
    ),
)
