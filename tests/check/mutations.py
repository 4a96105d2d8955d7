"""Mutated copies of the project's own entries, each with the rule meant for it.

A mutation replaces one piece of text in one file of a copy of the project; it must then be found by the rule that is
named, at the entry that is named, and the copy without it gives no finding.
"""

from __future__ import annotations

from typing import NamedTuple


class Mutation(NamedTuple):
    """One change of one file, and the rule that must find it."""

    what: str
    #: Relative to the project's folder.
    file: str
    old: str
    new: str
    rule: str
    #: The key that the finding is about.
    key: str


def _bib(what: str, section: str, key: str, old: str, new: str, rule: str) -> Mutation:
    return Mutation(what, f"bib/{section}.bib", old, new, rule, key)


_FLASH = "Dao, Tri and Fu, Daniel Y. and Ermon, Stefano and Rudra, Atri and Ré, Christopher"
_ORCA = (
    "author = {Yu, Gyeong-In and Jeong, Joo Seong and Kim, Geon-Woo and Kim, Soojeong and Chun, Byung-Gon}"
)

MUTATIONS = (
    # -- identity
    _bib("key with a blank's stand-in", "attention", "dao2022flash#attention", "@inproceedings{dao2022flashattention,", "@inproceedings{dao2022flash#attention,", "invalid-key"),
    _bib("key in other case than the pattern", "triton", "Triton_Lang", "@software{triton-lang,", "@software{Triton_Lang,", "key-pattern"),
    _bib("entry doubled under another key", "triton", "triton-again", "@software{triton-lang,", "@software{triton-again,\n  author = {{triton-lang}},\n  title = {Triton},\n  date = {2021},\n  url = {https://github.com/triton-lang/triton},\n}\n\n@software{triton-lang,", "contained-entry"),
    _bib("entry doubled under the same key", "moe", "zhao2025deepep", "@software{deepseek-eplb,", "@software{zhao2025deepep,", "duplicate-key"),
    _bib("key that differs in case only", "moe", "Zhao2025DeepEP", "@software{deepseek-eplb,", "@software{Zhao2025DeepEP,", "case-collision"),
    _bib("another work's DOI, of the list", "attention", "dao2022flashattention", "10.52202/068431-1189", "10.52202/079017-2193", "duplicate-doi"),
    _bib("another work's DOI, not of the list", "scheduling", "kwon2023pagedattention", "10.1145/3600006.3613165", "10.1145/3600006.3613139", "changed-identifier"),
    _bib("DOI with the resolver's address", "kv-cache", "liu2024cachegen", "{10.1145/3651890.3672274}", "{https://doi.org/10.1145/3651890.3672274}", "invalid-doi"),
    _bib("DOI that is none", "disaggregation", "patel2024splitwise", "{10.1109/ISCA59077.2024.00019}", "{ISCA59077.2024.00019}", "invalid-doi"),
    _bib("another work's arXiv identifier, of the list", "attention", "dao2024flashattention2", "eprint = {2307.08691}", "eprint = {2205.14135}", "duplicate-eprint"),
    _bib("another work's arXiv identifier, not of the list", "speculative-decoding", "chen2023accelerating", "eprint = {2302.01318}", "eprint = {2302.01381}", "url-mismatch"),
    _bib("arXiv identifier of a month 13", "quantization", "lin2024awq", "eprint = {2306.00978}", "eprint = {2313.00978}", "invalid-arxiv-id"),
    _bib("arXiv identifier with a version", "quantization", "xiao2023smoothquant", "eprint = {2211.10438}", "eprint = {2211.10438v5}", "invalid-arxiv-id"),
    _bib("arXiv class that is none", "tpu", "jouppi2023tpuv4", "primaryclass = {cs.AR}", "primaryclass = {cs.HW}", "arxiv-class"),
    _bib("eprint lost", "structured-decoding", "dong2025xgrammar", "  eprint = {2411.15100},\n", "", "archive-without-eprint"),
    _bib("ISBN with two digits swapped", "start-here", "hwu2022programming", "978-0-323-91231-0", "978-0-323-91213-0", "invalid-isbn"),
    _bib("title joined from two works", "attention", "dao2022flashattention", "{FlashAttention}: Fast and Memory-Efficient Exact Attention with {IO}-Awareness", "{FlashAttention}: Faster Attention with Better Parallelism and Work Partitioning", "chimeric-title"),
    _bib("title joined with one of no list", "speculative-decoding", "cai2024medusa", "Medusa: Simple {LLM} Inference Acceleration Framework with Multiple Decoding Heads", "Medusa: Fast Inference through Draft Models and Tree Search", "changed-title"),
    _bib("address without a scheme", "worklogs", "boehm2022matmul", "{https://siboehm.com/articles/22/CUDA-MMM}", "{siboehm.com/articles/22/CUDA-MMM}", "invalid-url"),
    _bib("address that is a script", "worklogs", "gordic2025matmul", "{https://www.aleksagordic.com/blog/matmul}", "{javascript:void(0)}", "unsafe-url"),
    _bib("another work's address", "triton", "triton-lang", "url = {https://github.com/triton-lang/triton}", "url = {https://github.com/vllm-project/vllm}", "duplicate-url"),
    # -- names
    _bib("authors swapped", "attention", "dao2022flashattention", _FLASH, "Fu, Daniel Y. and Dao, Tri and Ermon, Stefano and Rudra, Atri and Ré, Christopher", "author-order"),
    _bib("author list cut", "attention", "dao2022flashattention", _FLASH, "Dao, Tri and Fu, Daniel Y.", "author-cut"),
    _bib("author list cut with et al.", "disaggregation", "zhong2024distserve", "Zhong, Yinmin and Liu, Shengyu and Chen, Junda and", "Zhong, Yinmin and {et al.} and", "truncated-list"),
    _bib("list that begins with and", "scheduling", "yu2022orca", _ORCA, _ORCA.replace("{Yu", "{and Yu"), "name-list"),
    _bib("names separated by semicolons", "scheduling", "yu2022orca", _ORCA, _ORCA.replace(" and ", "; "), "name-list"),
    _bib("family name in capitals", "attention", "dao2024flashattention2", "author = {Dao, Tri}", "author = {SHAH, Tri}", "family-name-case"),
    _bib("initial without its stop", "triton", "tillet2019triton", "Kung, H. T.", "Kung, H T.", "initial-without-dot"),
    _bib("company without braces", "amd", "amd-cdna4-isa", "title = {{CDNA4} Instruction", "author = {Advanced Micro Devices},\n  title = {{CDNA4} Instruction", "duplicate-field"),
    _bib("project without braces", "scheduling", "sglang", "author = {{SGLang Project}}", "author = {SGLang Project}", "unbraced-organisation"),
    _bib("one-word company without braces", "moe", "deepseek-eplb", "author = {{DeepSeek-AI}}", "author = {DeepSeek-AI}", "unbraced-organisation"),
    _bib("number of a homonym", "matmul", "zhao2025deepgemm", "Zhao, Liang and", "Zhao, Liang 0007 and", "homonym-number"),
    _bib("a person twice", "disaggregation", "zhong2024distserve", "Liu, Xuanzhe and Jin, Xin", "Liu, Shengyu and Jin, Xin", "person-twice"),
    _bib("accent lost", "ai-kernels", "ouyang2025kernelbench", "Ré, Christopher", "Re, Christopher", "name-variants"),
    _bib("another name put in", "quantization", "frantar2023gptq", "Hoefler, Torsten", "Höfler, Torben", "changed-people"),
    # -- text
    _bib("special character bare", "kernel-exercises", "milakov2018online", "Online Normalizer Calculation for Softmax", "Online Normalizer Calculation & Softmax", "unescaped-special"),
    _bib("formula never closed", "long-context", "liu2024ring", "Ring Attention with", "Ring $O(n) Attention with", "bad-tex"),
    _bib("acronym without braces", "production", "gujarati2020clockwork", "Serving {DNNs} like", "Serving DNNs like", "unprotected-capitals"),
    _bib("whole title in braces", "scheduling", "yu2022orca", "title = {Orca: A Distributed Serving System for Transformer-Based Generative Models}", "title = {{Orca: A Distributed Serving System for Transformer-Based Generative Models}}", "braced-title"),
    _bib("full stop at the end", "start-here", "pope2023efficiently", "title = {Efficiently Scaling Transformer Inference}", "title = {Efficiently Scaling Transformer Inference.}", "final-stop"),
    _bib("HTML left in", "compilation", "nvidia-ptx-isa", "Parallel Thread Execution {ISA}", "Parallel Thread Execution &amp; {ISA}", "markup"),
    _bib("zero-width space", "kv-cache", "liu2024kivi", "{KIVI}: A", "{KI\u200bVI}: A", "invisible-character"),
    _bib("decomposed accent", "kv-cache", "ainslie2023gqa", "Lebrón", "Lebro\u0301n", "not-nfc"),
    _bib("read in the wrong encoding", "disaggregation", "patel2024splitwise", "Goiri, Íñigo", "Goiri, Ã\u008dÃ±igo", "mojibake"),
    _bib("Cyrillic letter", "other-stacks", "jax-pallas-design", "{Pallas Design}", "{P\u0430llas Design}", "mixed-scripts"),
    _bib("strange capitals", "attention", "dao2022flashattention", "title = {{FlashAttention}:", "title = {{FLashAttention}:", "odd-capitals"),
    _bib("value that says nothing", "disaggregation", "nvidia-nixl", "date = {2025-03}", "date = {n.d.}", "null-value"),
    _bib("place in the container's name", "matmul", "volkov2008benchmarking", "2008 ACM/IEEE Conference on Supercomputing}", "2008 ACM/IEEE Conference on Supercomputing, Austin, USA}", "venue-detail"),
    _bib("container's name cut", "tpu", "jouppi2017tpu", "International Symposium on Computer Architecture (ISCA 2017)}", "International Symposium on}", "cut-text"),
    _bib("container's name shortened", "serving-benchmarks", "reddi2020mlperf", "Annual International Symposium on Computer", "Annu. Int. Symp. on Computer", "abbreviated-venue"),
    # -- numbers and the model
    _bib("wrong year of a paper", "attention", "shah2024flashattention3", "date = {2024},", "date = {2021},", "year-conflict"),
    _bib("wrong year of a preprint", "parallelism", "shoeybi2019megatron", "date = {2019-09-17}", "date = {2021-09-17}", "year-conflict"),
    _bib("wrong year of a report", "kernel-exercises", "harris2007optimizing", "date = {2007}", "date = {2008}", "changed-date"),
    _bib("day that no calendar has", "parallelism", "uec2026spec", "date = {2026-07-16}", "date = {2026-06-31}", "invalid-date"),
    _bib("pages cut", "production", "fu2024serverlessllm", "pages = {135--153}", "pages = {135--53}", "page-range"),
    _bib("pages with a hyphen", "production", "fu2024serverlessllm", "pages = {135--153}", "pages = {135-153}", "page-range"),
    _bib("type misspelled", "kv-cache", "qin2025mooncake", "@inproceedings{qin2025mooncake", "@inproceeding{qin2025mooncake", "unknown-type"),
    _bib("required field lost", "scheduling", "agrawal2024sarathi", "  booktitle = {18th USENIX Symposium on Operating Systems Design and Implementation (OSDI 24)},\n", "", "missing-field"),
    _bib("date lost where the page has one", "amd", "amd-cdna4-whitepaper", "  date = {2025},\n", "", "missing-field"),
    _bib("field misspelled", "worklogs", "colfax2024tma", "organization = {Colfax International}", "organistaion = {Colfax International}", "unknown-field"),
    _bib("preprint as an article", "speculative-decoding", "chen2023accelerating", "@misc{chen2023accelerating,", "@article{chen2023accelerating,\n  journal = {arXiv preprint arXiv:2302.01318},", "preprint-as-article"),
    _bib("address in howpublished", "worklogs", "shankhdhar2024h100", "  url = {https://cudaforfun", "  howpublished = {\\url{https://cudaforfun.substack.com/p/x}},\n  url = {https://cudaforfun", "misused-field"),
    _bib("venue spelled otherwise", "attention", "shah2024flashattention3", "Advances in Neural Information Processing Systems 37", "Neural Information Processing Systems 37", "venue-spelling"),
    _bib("event misspelled", "quantization", "frantar2023gptq", "eventtitle = {ICLR 2023}", "eventtitle = {ICRL 2023}", "unknown-event"),
    _bib("kind that is none", "watchlist", "alvarez2026rubin", "entrysubtype = {blog}", "entrysubtype = {news}", "unknown-kind"),
    _bib("company spelled otherwise", "profiling", "nvidia-nsight-compute", "author = {{NVIDIA}}", "author = {{Nvidia}}", "organisation-spelling"),
    _bib("day of the visit lost", "triton", "triton-lang", "  urldate = {2026-08-23},\n}", "}", "missing-urldate"),
    # -- the list
    Mutation("section brought before another", "docs/index.rst", "   gpu/programming-model\n", "   hardware/nvidia\n   gpu/programming-model\n", "section-order", "nvidia-blackwell-tuning"),
    Mutation("placement twice", "docs/kernels/attention.rst", ".. source:: dao2024flashattention2", ".. source:: shah2024flashattention3", "placed-twice", "shah2024flashattention3"),
    Mutation("annotation without its end", "docs/kernels/attention.rst", ":cite:t:`sglang` are callers.", ":cite:t:`sglang` are callers", "annotation-end", "flashinfer"),
    Mutation("annotation lost", "docs/evolving/watchlist.rst", "   The maker's own account", "\n.. note::\n\n   The maker's own account", "missing-annotation", "alvarez2026rubin"),
    Mutation("watchlist without its reason", "docs/evolving/watchlist.rst", "   :waits-for: systems that have shipped, and measurements that others can reproduce\n", "", "watchlist-entry", "alvarez2026rubin"),
    Mutation("review that is over", "docs/evolving/watchlist.rst", ":review: 2027-02-23", ":review: 2026-02-23", "watchlist-entry", "alvarez2026rubin"),
    Mutation("number without hardware", "docs/kernels/attention.rst", "The loop is still\n   synchronous:", "It is twice as fast as the first. The loop is still\n   synchronous:", "performance-claim", "dao2024flashattention2"),
    Mutation("placement of a key that is not there", "docs/kernels/triton.rst", ".. source:: triton-lang", ".. source:: triton-language", "unknown-key", "triton-language"),
    Mutation("placement lost", "docs/kernels/attention.rst", ".. source:: flashinfer\n   :title: FlashInfer\n", ".. note::\n", "unplaced-work", "flashinfer"),
    Mutation("citation of a key that is not there", "docs/kernels/attention.rst", ":cite:t:`vllm`", ":cite:t:`vllm2023`", "unknown-key", "vllm2023"),
)  # fmt: skip
