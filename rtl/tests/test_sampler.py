"""The sampler alone: all prefixes of its walk against the probability matrix, long scans, handshakes."""

import random
import re
from collections import Counter
from math import exp, pi, sqrt

import pytest
import tools
from processor import Numbers, Walk

PARAMETERS = (
    "Q FIRST_WIDTH FIRST SECOND_WIDTH SECOND_ENTRIES SECOND ROWS FIRST_COLUMN COLUMNS WEIGHT_WIDTH WEIGHTS DIGITS".split()
)
PORTS = """
    input clk_i, input rst_i, input zeroize_i, input run_i, input encode_i, input [8:0] random_i, input random_valid_i,
    output random_ready_o, output [WIDTH-1:0] value_o, output valid_o, input ready_i
"""


def alone(name, coverage=False):
    """The sampler of a set as a program that reads words, see sampler_words.cpp."""
    source = tools.SETS[name].source
    found = dict(re.findall(r"\.([A-Z_]+)\((\{[^}]*\}|\d+)\)", source.read_text()))
    names = re.findall(r"(\w+)(?:,|\s*$)", PORTS, re.M)
    title = f"sampler-{name}" + "-coverage" * coverage
    wrapper = tools.build_directory(title) / f"sampler_{name}.sv"
    wrapper.write_text(
        f"module sampler_{name} #(parameter WIDTH = {Numbers(source).width}) ({PORTS});\n"
        f"ringwork_sampler #({', '.join(f'.{key}({found[key]})' for key in PARAMETERS)}) sampler ("
        f"{', '.join(f'.{port}({port})' for port in names)});\nendmodule\n"
    )
    sources = [tools.RTL / "src" / "sampler.sv", wrapper]
    return tools.harness(title, f"sampler_{name}", "sampler_words.cpp", sources, {}, {}, coverage)


@pytest.fixture(scope="module", params=list(tools.SETS))
def sampler(request):
    """The numbers of a set, and a function that gives the sampler's outputs for a list of inputs."""
    name = request.param
    numbers, run = Numbers(tools.SETS[name].source), alone(name)

    def outputs(inputs):
        done = tools.output([run], "\n".join(" ".join(map(str, line)) for line in inputs))
        return [tuple(map(int, line.split())) for line in done.splitlines()]

    return name, numbers, outputs


def always(words):
    """Inputs without a stall; one more cycle shows the last sample."""
    return [(1, 1, 1, 0, word) for word in words] + [(0, 1, 1, 0, 0)]


def to_the_end(name):
    """Walks with the largest distance, past the last column."""
    s = Numbers(tools.SETS[name].source)
    last = max(i for i, entry in enumerate(s.second) if entry >= s.distance_second)
    first = next(i for i, entry in enumerate(s.first) if entry == s.distance_first + last // 32)
    return always([first, last % 32, *[1] * s.columns] * 20)


def absolute(numbers, value):
    return min(value, numbers.q - value)


def test_the_matrix_is_gaussian(sampler):
    """The tables are those of the distribution: the first 13 digits from the look-ups, the others from the columns."""
    name, s, _ = sampler
    sigma = tools.SETS[name].s / sqrt(2 * pi)
    weight = [exp(-x * x / (2 * sigma * sigma)) for x in range(200)]
    total = weight[0] + 2 * sum(weight[1:])
    digits = range(s.first_column, 53)
    for row in range(8):
        probability = weight[row] / total * (2 if row else 1)
        tail = sum((s.digits[c - s.first_column] >> row & 1) << (52 - c) for c in digits)
        assert abs(probability * 2**53 % 2 ** (53 - s.first_column) - tail) < 2**53 * 1e-14, row


def test_every_prefix(sampler):
    """All 2^8 words of the first look-up, and all 2^13 of both, with both signs."""
    _, s, outputs = sampler
    fails = [word for word in range(256) if s.first[word] >= s.distance_first]
    words, expected = [], []
    for sign in (0, 256):
        for word in range(256):
            if word in fails:
                continue
            words.append(word | sign)
            expected.append((len(words), s.first[word] if not sign else -s.first[word] % s.q))
    seen = [(cycle, value) for cycle, (_, valid, value) in enumerate(outputs(always(words))) if valid]
    assert seen == expected
    # A row has as many leaves in the first eight, and in the next five columns, as its digits say; what is left has
    # to be in the columns behind.
    counts = Counter(absolute(s, value) for _, value in seen)
    assert counts[0] % 2 == 0 and sum(counts.values()) == 2 * (256 - len(fails))
    assert all(value == 0 for _, value in seen if absolute(s, value) == 0), "a canonical zero"
    both, longer = Counter(), 0
    runs = [(first, second | sign) for first in fails for second in range(32) for sign in (0, 256)]
    inputs = []
    for pair in runs:
        inputs += [(1, 1, 1, 0, word) for word in pair] + [(0, 0, 1, 0, 0), (0, 0, 1, 1, 0)]
    results = outputs(inputs)
    for i, (first, second) in enumerate(runs):
        assert [line[:2] for line in results[4 * i : 4 * i + 2]] == [(1, 0), (1, 0)]
        _, valid, value = results[4 * i + 2]
        entry = s.second[(s.first[first] - s.distance_first) * 32 + (second & 31)]
        assert valid == (entry < s.distance_second)
        if valid:
            assert value == (-entry % s.q if second >> 8 else entry)
            both[entry] += 1
        else:
            longer += 1
    sigma = tools.SETS[sampler[0]].s / sqrt(2 * pi)
    weight = [exp(-x * x / (2 * sigma * sigma)) for x in range(200)]
    total = weight[0] + 2 * sum(weight[1:])
    for row in range(s.rows):
        probability = weight[row] / total * (2 if row else 1)
        assert (32 * counts[row] + both[row]) // 2 == int(probability * 8192), row
    assert 0 < longer / 2 <= 0.0016 * 8192


def test_scans(sampler):
    """Walks beyond the look-ups, among them to the last columns; and one that runs out of the matrix."""
    _, s, outputs = sampler
    source = random.Random(3)
    both = next(i for i, entry in enumerate(s.second) if entry >= s.distance_second)
    first = next(i for i, entry in enumerate(s.first) if entry == s.distance_first + both // 32)
    last = max(i for i, entry in enumerate(s.second) if entry >= s.distance_second)
    highest = next(i for i, entry in enumerate(s.first) if entry == s.distance_first + last // 32)
    words, exhausted, scanned = [], 0, Counter()
    for run in range(2000):
        # Ones keep the distance large, and so the walk long.
        ones = source.randrange(2 * s.columns)
        start = [first, both % 32] if run % 2 else [highest, last % 32]
        walk, ends = Walk(s), False
        for word in start:
            words.append(word | source.getrandbits(1) << 8)
            ends = walk.step(words[-1]) is not None
        assert not ends
        while walk.words:
            words.append(source.getrandbits(9) | (len(walk.words) < ones))
            value = walk.step(words[-1])
            if value is not None:
                scanned[absolute(s, value)] += 1
            elif not walk.words:
                exhausted += 1
    assert exhausted > 10 and max(scanned) > s.rows - 8 and scanned[0] > 2
    walk, expected = Walk(s), []
    for cycle, word in enumerate(words):
        value = walk.step(word)
        if value is not None:
            expected.append((cycle + 1, value))
    seen = [(cycle, value) for cycle, (_, valid, value) in enumerate(outputs(always(words))) if valid]
    assert seen == expected


def test_handshakes(sampler):
    """No step without run_i, random_valid_i, and room for its sample; a sample stays until it is taken."""
    _, s, outputs = sampler
    source = random.Random(4)
    inputs = []
    for chances in ((0.5, 0.5, 0.5), (0.9, 1.0, 0.3), (0.3, 0.9, 1.0)):
        for _ in range(30_000):
            inputs.append(tuple(int(source.random() < chance) for chance in chances) + (0, source.getrandbits(9)))
    walk, waiting = Walk(s), None
    for (valid, run, ready, _, word), (random_ready, sample_valid, value) in zip(inputs, outputs(inputs), strict=True):
        assert sample_valid == (waiting is not None)
        assert waiting is None or value == waiting
        assert random_ready == (run and (ready or waiting is None))
        if ready:
            waiting = None
        if valid and random_ready:
            waiting = walk.step(word)
    zeros = [(1, 1, 1, 0, source.getrandbits(9)) for _ in range(5)] + [(1, 1, 0, 1, 0), (0, 1, 0, 0, 0)]
    assert outputs(zeros)[-1][:2] == (1, 0), "zeroization takes the sample away"
