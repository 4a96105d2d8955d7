"""TeX values: what they say in plain text and in HTML, and how text is written as TeX."""

from __future__ import annotations

import html
import json
import re
import subprocess
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import effort

from refkit.values import tex
from refkit.values.tex import tables

DATA = Path(__file__).parent.parent / "data" / "tex"
DECODED = [
    pytest.param(raw, text, id=f"{group}-{raw!r}")
    for group, cases in json.loads((DATA / "decode.json").read_text("utf-8")).items()
    for raw, text in cases
]

#: Text in which TeX's own signs, commands and bad characters are frequent.
TEXISH = st.lists(
    st.one_of(
        st.sampled_from(list("\\{}$~`'\"^_&%#-?!<>[]() aAeiouI\n\t/.|*1\u0301éß中\u200d\x00\ud800")),
        st.sampled_from(
            "\\emph \\textbf \\' \\\" \\c \\v \\em \\url{ \\href{ $\\alpha_{ \\frac \\sqrt[ \\( \\) "
            "\\textsuperscript \\enquote -- --- `` '' \\ensuremath{ \\char \\i {\\'e} $x^2$".split()
        ),
        st.text(max_size=5),
    ),
    max_size=20,
).map("".join)
MANY = settings(max_examples=150, suppress_health_check=list(HealthCheck))


# Reading


@pytest.mark.parametrize(("raw", "text"), DECODED)
def test_decode_reads(raw: str, text: str) -> None:
    assert tex.decode(raw) == unicodedata.normalize("NFC", text)


@MANY
@given(TEXISH)
def test_decode_gives_clean_text_for_any_string(raw: str) -> None:
    text = tex.decode(raw)
    assert text == tex.clean(text)
    text.encode("utf-8")


@MANY
@given(TEXISH)
def test_html_is_well_formed_for_any_string(raw: str) -> None:
    open_elements: list[str] = []
    text = tex.decode_html(raw, nocase=True)
    for slash, name in re.findall(r"<(/?)([a-z]+)[^<>]*>", text):
        if slash:
            assert open_elements.pop() == name
        else:
            open_elements.append(name)
    assert not open_elements
    assert "<" not in re.sub(r"</?(?:i|b|sup|sub|span)(?: [a-z]+=\"[^\"]*\")?>", "", text)


@MANY
@given(st.text())
def test_plain_text_without_tex_stays_as_it_is(text: str) -> None:
    plain = re.sub(r"[\\{}$~`'-]", "", tex.clean(text))
    assert tex.decode(plain) == tex.clean(plain)


@pytest.mark.parametrize(
    "unit", ["{", "}", "{\\em ", "\\textsuperscript{", "\\'", "$^{", "\\(", "\\url{", "$\\frac"]
)
def test_decode_survives_any_nesting_in_linear_time(unit: str) -> None:
    def work(count: int) -> int:
        raw = unit * count + "x"
        return effort.lines(lambda: (tex.decode(raw), tex.decode_html(raw, nocase=True)))

    assert work(4_000) < 9 * work(500)
    with effort.ends():
        tex.decode(unit * 200_000 + "x")
        tex.decode_html(unit * 200_000 + "x", nocase=True)


def test_deep_nesting_keeps_the_text() -> None:
    assert tex.decode("{" * 5000 + "x" + "}" * 5000) == "x"
    assert tex.decode("\\textbf{" * 5000 + "x" + "}" * 5000) == "x"


# HTML


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("\\emph{a} \\textbf{b}", "<i>a</i> <b>b</b>"),
        ("{\\em a}b {\\bf c}", "<i>a</i>b <b>c</b>"),
        ("\\textsc{nmr}", '<span style="font-variant:small-caps;">nmr</span>'),
        ("H\\textsubscript{2}O, 10\\textsuperscript{6}", "H<sub>2</sub>O, 10<sup>6</sup>"),
        ("$x_1^2$ and $p_T$", "x<sub>1</sub><sup>2</sup> and p<sub>T</sub>"),
        ("R\\&D $k<1$ <b>", "R&amp;D k&lt;1 &lt;b&gt;"),
        ("\\emph{a \\textbf{b} {\\it c}}", "<i>a <b>b</b> <i>c</i></i>"),
        ("\\enquote{a \\enquote{b}}", "“a ‘b’”"),
        ("\\emph{}x", "x"),
        ("{\\itshape a}", "<i>a</i>"),
        ('\\textit{Schr{\\"o}dinger}', "<i>Schrödinger</i>"),
    ],
)
def test_html_carries_the_markup_of_csl(raw: str, expected: str) -> None:
    assert tex.decode_html(raw) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("{DNA} sites", "<DNA> sites"),
        ("the {B}ayesian way", "the <Bayesian> way"),
        ("{Flash}{A}ttention", "<FlashAttention>"),
        ("{Monte Carlo} methods", "<Monte Carlo> methods"),
        ("{{Nested} {DNA}} x", "<Nested DNA> x"),
        ("{small} {$x_1$}", "small x<sub>1</sub>"),
        ('Schr{\\"O}dinger', "SchrÖdinger"),
        ("{The Whole Title}", "The Whole Title"),
        ("{GPU}", "<GPU>"),
        ("multi-{GPU}s", "multi-<GPUs>"),
    ],
)
def test_braces_become_nocase_spans_around_words(raw: str, expected: str) -> None:
    got = tex.decode_html(raw, nocase=True)
    assert re.sub(r'<span class="nocase">(.*?)</span>', r"<\1>", got) == expected


def test_unescaped_html_cannot_be_taken_for_an_element() -> None:
    assert (
        tex.decode_html("R\\&D, k<1, vector<int>, <b>x</b>", escape=False)
        == "R&D, k<1, vector<int>, &lt;b>x&lt;/b>"
    )


# Verbatim fields


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (
            "https://ex.org/a_b/%7Euser--x/$v1$?q=1&r=%20s#frag~t",
            "https://ex.org/a_b/%7Euser--x/$v1$?q=1&r=%20s#frag~t",
        ),
        ("https://ex.org/a\\_b?x=1\\&y=2\\%20z\\#k", "https://ex.org/a_b?x=1&y=2%20z#k"),
        ("10.1007/978-3-030-00001-1{\\_}8", "10.1007/978-3-030-00001-1_8"),
        ("10.1007/978-3-030-00001-1\\textunderscore 8", "10.1007/978-3-030-00001-1_8"),
        ("\\url{https://ex.org/w_1?x=%C3%A9}", "https://ex.org/w_1?x=%C3%A9"),
        ("\\href{https://ex.org/a\\_b}{text}", "https://ex.org/a_b"),
        ("http://x/{\\textasciitilde}a/\\~{}b/$\\sim$c/\\~d/{\\char126}e", "http://x/~a/~b/~c/~d/~e"),
        ("http://x/\\textasciitilde{}a", "http://x/~a"),
        ("C\\:\\\\data\\\\a_b", "C\\:\\\\data\\\\a_b"),
        ("C:\\Users\\new", "C:\\Users\\new"),
        ('GPU, Schr\\"odinger, R\\&D', "GPU, Schrödinger, R&D"),
        ("  x y \u200b", "x y"),
    ],
)
def test_verbatim_undoes_escapes_and_typesets_nothing(raw: str, text: str) -> None:
    assert tex.verbatim(raw) == text


# Writing


@MANY
@given(st.one_of(TEXISH, st.text()))
def test_encode_comes_back_as_the_same_text(text: str) -> None:
    assert tex.decode(tex.encode(text)) == tex.clean(text)
    assert html.unescape(tex.decode_html(tex.encode(text))) == tex.clean(text)


@MANY
@given(
    st.one_of(TEXISH, st.text(), st.text(alphabet=st.characters(min_codepoint=0x80, max_codepoint=0x2300)))
)
def test_encode_ascii_comes_back_but_for_what_it_reports(text: str) -> None:
    written = tex.encode_ascii(text)
    assert written.isascii()
    if not tex.unencodable(text):
        assert tex.decode(written).replace("’", "'") == tex.clean(text).replace("’", "'")


@MANY
@given(st.one_of(TEXISH, st.text()))
def test_what_is_written_has_balanced_braces(text: str) -> None:
    for written in (tex.encode(text), tex.encode_ascii(text), tex.encode_tex_like(text)):
        depth = 0
        for char in written:
            depth += (char == "{") - (char == "}")
            assert depth >= 0
        assert depth == 0


def test_each_special_character_is_escaped_once() -> None:
    text = "R&D: 100% of #1 in C#, snake_case, 5$ ~ x^2 \\ {a} } end"
    assert tex.encode(text) == (
        "R\\&D: 100\\% of \\#1 in C\\#, snake\\_case, 5\\$ \\textasciitilde{} x\\textasciicircum{}2 "
        "\\textbackslash{} \\{a\\} \\textbraceright{} end"
    )


def test_encode_leaves_unicode_alone() -> None:
    assert tex.encode("Ångström – “é” αβ 中") == "Ångström – “é” αβ 中"


def test_encode_keeps_ligatures_apart() -> None:
    assert tex.encode("a--b ''c'' ?`d") == "a-{}-b '{}'c'{}' ?\\textasciigrave{}d"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Müller, Łoś, Åse, ñ", "M{\\\"u}ller, {\\L}o{\\'s}, {\\AA}se, {\\~n}"),
        ("García, ï, č, ș", "Garc{\\'\\i}a, {\\\"\\i}, {\\v c}, ?"),
        ("ế", "{\\'{\\^e}}"),
        ("1–2, a—b, “x” ‘y’, it’s", "1--2, a---b, ``x'' `y', it's"),
        ("α-phase, ≤ 5 µm, x², H₂O", "$\\alpha$-phase, $\\le$ 5 {\\textmu}m, x$^{2}$, H$_{2}$O"),
        ("αβ and ∈ℓ", "$\\alpha\\beta$ and $\\in\\ell$"),
        ("a < b | c > d", "a $<$ b $|$ c $>$ d"),
        ("x̄", "{\\=x}"),
        ("½ € § ©", "{\\textonehalf} {\\texteuro} {\\textsection} {\\textcopyright}"),
    ],
)
def test_encode_ascii_writes_classic_tex(text: str, written: str) -> None:
    if "?" in written:
        assert tex.unencodable(text) == ["ș"]
        written = written.replace("?", tex.encode_ascii("ș"))
    assert tex.encode_ascii(text) == written


def test_what_tex_cannot_print_is_transliterated_and_reported() -> None:
    text = "Жуков, ﬁne, 中文, Ω"
    assert tex.unencodable(text) == ["Ж", "у", "к", "о", "в", "ﬁ", "中", "文"]
    assert tex.encode_ascii(text) == "Zhukov, fine, ??, $\\Omega$"


def test_text_like_arxivs_keeps_its_formulas_and_escapes_the_rest() -> None:
    title = (
        "A 5% test of $\\Lambda$CDM\n  & R&D at $k<1$:\n  one_more line by Poincar\\'e, ~100 for $5 and $10"
    )
    assert tex.encode_tex_like(title) == (
        "A 5\\% test of $\\Lambda$CDM \\& R\\&D at $k<1$: one\\_more line by Poincaré, "
        "\\textasciitilde{}100 for \\$5 and \\$10"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("\\input{/etc/passwd} and \\ourmethod", "/etc/passwd and"),
        ("$\\write18{x}$ and $x \\lesssim y$", "18x and x ≲ y"),
        ("$^^41$ $\\frac{1}{2$", "\\textasciicircum{}⁴1 1/2"),
        ("\\lesssim \\alpha \\emph{x}", "≲αx"),
        ("a\\\\b c \\", "a b c \\textbackslash{}"),
    ],
)
def test_of_foreign_commands_only_those_that_set_formulas_are_taken(text: str, written: str) -> None:
    assert tex.encode_tex_like(text) == written


@MANY
@given(TEXISH)
def test_foreign_text_brings_no_command_that_is_not_known(text: str) -> None:
    known = {*tables.MATH_COMMANDS, *tables.MATH_SYMBOLS, *tables.MATH_OPERATORS, *tables.FUNCTIONS}
    known |= {
        "textasciitilde",
        "textasciicircum",
        "textasciigrave",
        "textbackslash",
        "textbraceleft",
        "textbraceright",
    }
    written = tex.encode_tex_like(text)
    assert set(re.findall(r"(?<!\\)\\([A-Za-z]+)", written)) <= known
    assert tex.encode_tex_like(written) == written


def test_text_that_is_escaped_already_is_not_escaped_twice() -> None:
    once = tex.encode_tex_like("50% of R&D")
    assert tex.encode_tex_like(once) == once


@pytest.mark.parametrize(
    ("raw", "written"),
    [
        ('Gordić \\& M{\\"u}ller', "Gordi{\\'c} \\& M{\\\"u}ller"),
        ("the $α^2βx$ and α", "the $\\alpha^2\\beta x$ and $\\alpha$"),
        ("$é$, $≤$", "$\\mbox{{\\'e}}$, $\\le$"),
        ("\\url{https://ex.org/<a>} a<b", "\\url{https://ex.org/<a>} a$<$b"),
        ("{\\emph{naïve}} – “x”", "{\\emph{na{\\\"\\i}ve}} -- ``x''"),
        ("plain ASCII", "plain ASCII"),
    ],
)
def test_a_tex_value_becomes_ascii_and_its_tex_stays(raw: str, written: str) -> None:
    assert tex.ascii_tex(raw) == written
    assert tex.decode(written) == tex.decode(raw)


@MANY
@given(TEXISH)
def test_a_tex_value_as_ascii_is_ascii(raw: str) -> None:
    assert tex.ascii_tex(raw).isascii()


# Capitals


@pytest.mark.parametrize(
    ("title", "protected"),
    [
        (
            "FlashAttention: Fast and Memory-Efficient Exact Attention",
            "{FlashAttention}: Fast and Memory-Efficient Exact Attention",
        ),
        ("Attention Is All You Need", "Attention Is All You Need"),
        (
            "EEG using a GRU: pH, mRNA and LaTeX in 2D",
            "{EEG} using a {GRU}: {pH}, {mRNA} and {LaTeX} in {2D}",
        ),
        ("Serving LLMs with vLLM on H100 GPUs", "Serving {LLMs} with {vLLM} on {H100} {GPUs}"),
        ("Programming in C, C++ and C\\#: A Survey", "Programming in {C}, {C++} and {C\\#}: A Survey"),
        ("IO-Awareness and I/O", "{IO}-Awareness and {I/O}"),
        ("A Bayesian View of Monte Carlo", "A {Bayesian} View of {Monte} {Carlo}"),
        ("R\\&D at AT\\&T's", "{R\\&D} at {AT\\&T's}"),
        ("A test of $\\Lambda$CDM at $k<1$", "A test of {$\\Lambda$CDM} at $k<1$"),
        ("The \\LaTeX\\ Companion", "The {{\\LaTeX}}\\ Companion"),
        ("On {GPU}s and {F}ourier", "On {GPU}s and {F}ourier"),
        ("Schr{\\\"o}dinger's DNA", "Schr{\\\"o}dinger's {DNA}"),
        ("X-ray, then the X-ray", "X-ray, then the {X}-ray"),
        ("GROWTH OF PLUM APHIDS WITH DNA AND RNA", "GROWTH OF PLUM APHIDS WITH DNA AND RNA"),
        ("DeepSeek-V3 and TensorRT-LLM", "{DeepSeek-V3} and {TensorRT-LLM}"),
        ("基于 GPU 的研究方法", "基于 {GPU} 的研究方法"),
        ("all lower case", "all lower case"),
    ],
)
def test_protect_braces_what_must_keep_its_capitals(title: str, protected: str) -> None:
    assert tex.protect(title) == protected


@MANY
@given(
    st.lists(
        st.sampled_from(
            [
                "GPU",
                "a",
                "The",
                "C",
                "C++",
                "\\&",
                "{DNA}",
                '{\\"o}',
                '\\"o',
                "$\\Lambda$",
                "$x$",
                " ",
                ": ",
                "-",
                "vLLM",
                "A",
                "\\LaTeX",
                "\\LaTeX{}",
                "{",
                "}",
                "'s",
                "I",
                "\\emph{Ab}",
                "\\Foo",
                "3D",
                ".",
                "\\#",
                "Bayesian",
            ]
        ),
        max_size=12,
    ).map("".join)
)
def test_protect_is_idempotent_and_changes_no_text(title: str) -> None:
    once = tex.protect(title)
    assert tex.protect(once) == once
    assert tex.decode(once) == tex.decode(title)


def test_bibtex_keeps_what_is_protected(tmp_path: Path, program: Callable[[str, str], Path]) -> None:
    """The real program, with the function of plain.bst that lowers titles."""
    bibtex = program("bibtex", "texlive-binaries texlive-base")
    titles = [
        "EEG using a GRU: pH, mRNA and LaTeX in 2D",
        "Serving LLMs with vLLM on H100 GPUs in C++",
        "A \\LaTeX{} of \\OE uvre GPU",
    ]
    style = 'ENTRY{title}{}{} FUNCTION{one}{title "t" change.case$ write$ newline$} READ ITERATE{one}'
    (tmp_path / "t.bst").write_text(style)
    entries = [f"@misc{{k{at}, title = {{{tex.protect(title)}}}}}" for at, title in enumerate(titles)]
    (tmp_path / "t.bib").write_text("\n".join(entries))
    (tmp_path / "t.aux").write_text("\\bibstyle{t}\n\\bibdata{t}\n\\citation{*}\n")
    subprocess.run([str(bibtex), "t"], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    lines = [re.sub(r"\s+", " ", line) for line in (tmp_path / "t.bbl").read_text().splitlines()]
    text = " ".join(lines)
    for word in (
        "EEG",
        "GRU",
        "pH",
        "mRNA",
        "LaTeX",
        "2D",
        "LLMs",
        "vLLM",
        "H100",
        "GPUs",
        "C++",
        "\\LaTeX",
        "GPU",
    ):
        assert word in text, text


def test_pdflatex_prints_everything_that_encode_ascii_writes(
    tmp_path: Path, program: Callable[[str, str], Path]
) -> None:
    """Each character of the tables in one document: an undefined command or a missing package stops it."""
    pdflatex = program("pdflatex", "texlive-latex-base texlive-latex-recommended")
    symbols = {**tables.TEXT_SYMBOLS, **tables.LETTERS, **tables.MATH_SYMBOLS, **tables.MATH_OPERATORS}
    chars = [*symbols.values(), *tables.SUPERSCRIPTS.values(), *tables.SUBSCRIPTS.values(), *"<>|…–—“”‘’"]
    chars += [chr(code) for code in range(0xA1, 0x180)] + [chr(code) for code in range(0x1E00, 0x1F00)]
    lines = [tex.encode_ascii(char) for char in dict.fromkeys(chars) if not tex.unencodable(char)]
    assert len(lines) > 500
    body = "\n\n".join(f"{line} x{line}y" for line in lines)
    head = "\\documentclass{article}\\usepackage[T1]{fontenc}\\begin{document}\n"
    source = f"{head}{body}\n\\end{{document}}\n"
    (tmp_path / "t.tex").write_text(source)
    command = [str(pdflatex), "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True, timeout=180)
    log = done.stdout.replace("\n", "")
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Missing character" not in log
    assert "LaTeX Warning: Command" not in log


def test_the_journals_of_astronomy_are_named() -> None:
    assert tex.decode("\\apjl") == "Astrophysical Journal Letters"
    assert tex.decode("{\\mnras}, in press") == "Monthly Notices of the Royal Astronomical Society, in press"


def test_greek_letters_that_look_like_latin_ones_are_written_as_these() -> None:
    assert tex.encode_ascii("Ρόδος") == r"Po$\delta$o$\varsigma$"
    assert tex.unencodable("Ρόδος") == ["Ρ", "ό", "ο"]
