"""What sources may not contain, although it is SystemVerilog; and warnings."""

import re
import subprocess

import pytest
import tools

WRITTEN = sorted(path for folder in ("src", "sets", "formal") for path in (tools.RTL / folder).glob("*.sv"))
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
# Longer operators first; a number goes up to its size, so that 6'(x) is a cast and 6'd1 is not.
TOKEN = re.compile(r"[\w$]+|<<<|>>>|[=!]=[=?]|[-+~&|^]:|&&|\|\||<<|>>|[=!<>]=|~[&|^]|\^~|->|::|[^\w\s]")
UNARY = {"-", "+", "~", "!", "&", "|", "^", "~&", "~|", "~^", "^~"}
# Words behind which an operand begins.
WORDS = {"return", "else", "begin", "case", "assign", "do", "inside"}


def unary_before_casts(text):
    """Lines on which an operator with one operand stands before SIZE'(...), whose size some tools let it take."""
    text = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    tokens = [(found[0], text.count("\n", 0, found.start()) + 1) for found in TOKEN.finditer(text)]
    words = [word for word, _ in tokens] + [""] * 3
    found = []
    for i, (word, line) in enumerate(tokens):
        before = words[i - 1] if i else ""
        if word not in UNARY or before in (")", "]", "}") or re.fullmatch(r"[\w$]+", before) and before not in WORDS:
            continue
        end = i + 1
        if words[end] == "(":
            depth = 1
            while depth and end + 1 < len(tokens):
                end += 1
                depth += {"(": 1, ")": -1}.get(words[end], 0)
        while words[end + 1] == "::":
            end += 2
        if words[end + 1 : end + 3] == ["'", "("]:
            found.append(line)
    return found


@pytest.mark.parametrize("source", WRITTEN, ids=lambda path: path.name)
def test_casts(source):
    assert not unary_before_casts(source.read_text()), "write 0 - SIZE'(x), or parentheses around the cast"


@pytest.mark.parametrize("text", ["x = -DW'(W);", "x = a + ~ 6'(b);", "x = {!W'(c)};", "return -(W+1)'(c);", "y <= &p::W'(c);"])
def test_casts_are_found(text):
    assert unary_before_casts(f"// -W'(x)\n/* -W'(x)\n*/ {text}") == [3]


@pytest.mark.parametrize("text", [
    "x = a - DW'(W);", "x = DW'(0) - DW'(W);", "x = (a) & W'(b);", "x = a[1] && W'(b);", "x = -(W'(b));", "x = -4'd1;",
    "x = a[4*c-:W];", "x <= W'(b);", "x = ~a;",
])
def test_others_pass(text):
    assert not unary_before_casts(text)


def warnings(waivers):
    """What Verilator warns of, of P1's two machines and of a module alone."""
    processor = [*tools.SOURCES, tools.SETS["p1"].source]
    alone = [tools.RTL / "src" / "latency.sv", tools.RTL / "src" / "modmul.sv"]
    found = ""
    for sources, top in (
        (processor, ["ringwork_p1", "-GFAST=0"]), (processor, ["ringwork_p1", "-GFAST=1", "--public-flat-rw"]),
        (alone, ["ringwork_modmul"]), (alone, ["ringwork_modmul", "-GDEPTH=2"]),
    ):
        command = ["verilator", "--lint-only", "-Wall", "-Wno-fatal", waivers, *sources, "--top-module", *top]
        found += subprocess.run(command, capture_output=True, text=True).stderr
    return found


def test_no_waiver_is_idle():
    """Without one of its lines there are warnings; with all, none, which every other test on Verilator holds too."""
    lines = tools.WAIVERS.read_text().splitlines()
    assert not warnings(tools.WAIVERS)
    for i, line in enumerate(lines[: next(i for i, line in enumerate(lines) if "What Yosys" in line)]):
        if line.startswith("lint_off"):
            fewer = tools.build_directory("waivers") / f"without-{i}.vlt"
            fewer.write_text("\n".join(lines[:i] + lines[i + 1 :]) + "\n")
            assert "%Warning" in warnings(fewer), line
