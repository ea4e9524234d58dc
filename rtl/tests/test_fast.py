"""FAST: every instruction against plain arithmetic, with its cycles; sampling beside transforms; zeroization."""

import os
import random

import cocotb
import pytest
import tools
from processor import FNTT, GAUSSIAN_LOAD, INTT, LOAD, READ, Numbers, Processor, Walk, bit_reverse

MULTIPLY_ADD, GAUSSIAN_ENCODE_LOAD = 9, 10
# From the issue of a slot to its write, and to the word at the port; both behind one cycle for the command.
LATENCY, READ_LATENCY = 13, 4


@pytest.mark.parametrize("name,simulator", tools.cases())
def test_fast(name, simulator):
    tools.simulate("test_fast", name, simulator, {"FAST": 1})


class Fast(Processor):
    """The processor with the orders of FAST."""

    def __init__(self, dut, numbers, seed):
        super().__init__(dut, numbers, seed)
        self.blocks = 1024 // numbers.n  # in a bank

    def bank(self, block):
        return block & 1 if self.blocks == 4 else block // self.blocks

    def coefficients(self, a):
        half = self.s.n // 2
        return [self.s.word(a[i + half], a[i]) for i in range(half)]

    def slots(self, values):
        """Words of a polynomial's values at psi^(2j+1)."""
        at = [values[bit_reverse(t, self.s.k)] for t in range(self.s.n)]
        return self.paired(at)

    def paired(self, a):
        return [self.s.word(a[i + 1], a[i]) for i in range(0, self.s.n, 2)]

    async def expect(self, block, words):
        await self.read(block)
        wrong = [(i, x, y) for i, (x, y) in enumerate(zip(self.words, words)) if x != y]
        assert not wrong, f"block {block}: {len(wrong)} wrong, {wrong[:4]}"

    async def sampled(self):
        """Until the sampler has done; the cycles with sampling_o from here on."""
        cycles = 0
        while self.dut.sampling_o.value == 1:
            cycles += 1
            await self.cycle()
        return cycles

    def drawn(self):
        """Samples of the random words that were taken."""
        walk = Walk(self.s)
        return [sample for sample in map(walk.step, self.taken) if sample is not None]


async def begin(dut, seed):
    s = Numbers(tools.SETS[os.environ["RTL_SET"]].source)
    p = Fast(dut, s, seed)
    await p.start()
    return s, p, random.Random(seed)


@cocotb.test()
async def load_and_read(dut):
    s, p, source = await begin(dut, 1)
    is_one = lambda a: s.q <= 4 * a < 3 * s.q
    words = {block: p.coefficients(s.random(source)) for block in range(6)}
    for block in range(6):
        assert await p.load(block, words[block]) == s.n // 2 + 2
    for block in range(6):
        assert await p.read(block) == s.n // 2 + READ_LATENCY + 1
        assert p.words == words[block]
        assert p.bits == [is_one(high) << 1 | is_one(low) for high, low in s.pairs(words[block])]
    edges = [0, 1, s.q - 1, s.q // 4, s.q // 4 + 1, 3 * s.q // 4, 3 * s.q // 4 + 1]
    edges = [s.word(high, low) for high in edges for low in edges]
    p.stall = 0.5
    await p.load(2, edges + [0] * (s.n // 2 - len(edges)))
    await p.read(2)
    assert p.words[: len(edges)] == edges
    assert p.bits[: len(edges)] == [is_one(high) << 1 | is_one(low) for high, low in s.pairs(edges)]
    assert dut.error_o.value == 0 and dut.data_o.value == 0 and dut.bits_o.value == 0
    # Coefficients of q or more become zero.
    large = [s.word(s.q, 5), s.word(7, (1 << s.width) - 1), s.word(s.q - 1, s.q + 1)]
    await p.load(5, large + words[5][3:])
    assert dut.error_o.value == 7
    await p.expect(5, [s.word(0, 5), s.word(7, 0), s.word(s.q - 1, 0)] + words[5][3:])


@cocotb.test()
async def transforms(dut):
    """In place, one to three blocks, any blocks."""
    s, p, source = await begin(dut, 2)
    for blocks in ([4], [5, 0], [1, 3, 2]):
        cycles = len(blocks) * s.k * s.n // 2 + LATENCY + 1
        a = {block: s.random(source) for block in range(6)}
        values = {block: p.slots(s.forward(a[block])) for block in blocks}
        for block in range(6):
            await p.load(block, p.coefficients(a[block]))
        assert await p.run(FNTT, reads=blocks, rounds=len(blocks)) == cycles
        for block in range(6):
            await p.expect(block, values[block] if block in blocks else p.coefficients(a[block]))
        assert await p.run(INTT, reads=blocks, rounds=len(blocks)) == cycles
        for block in range(6):
            await p.expect(block, p.coefficients(a[block]))
    for value in (0, 1, s.q - 1):
        await p.load(0, p.coefficients([value] * s.n))
        await p.run(FNTT, reads=[0])
        await p.expect(0, p.slots(s.forward([value] * s.n)))
        await p.load(0, p.slots([value] * s.n))
        await p.run(INTT, reads=[0])
        await p.expect(0, p.coefficients([value] + [0] * (s.n - 1)))
    assert dut.error_o.value == 0


@cocotb.test()
async def multiply_add(dut):
    s, p, source = await begin(dut, 3)
    a, b, c = (s.random(source) for _ in range(3))
    edges = [0, 1, s.q - 1, (s.q - 1) // 2, (s.q + 1) // 2]
    a[: len(edges) ** 2] = [x for x in edges for _ in edges]
    b[: len(edges) ** 2] = [y for _ in edges for y in edges]
    c[: len(edges) ** 2] = [edges[i % 3] for i in range(len(edges) ** 2)]
    r = pow(s.r, -1, s.q)
    expected = [(x * y * r + z) % s.q for x, y, z in zip(a, b, c)]
    choices = [(x, y, z, t) for x in range(6) for y in range(6) for z in range(6) for t in range(6)
               if len({x, y, z}) == 3 and p.bank(y) != p.bank(z)]
    inside = [choice for choice in choices if choice[3] in choice[:3]]
    # The target in each of the operands, and elsewhere.
    picked = [source.choice([choice for choice in inside if choice[3] == choice[i]]) for i in range(3)]
    picked += source.sample(choices, 4)
    for x, y, z, target in picked:
        polynomials = {x: a, y: b, z: c}
        for block in range(6):
            await p.load(block, p.paired(polynomials.get(block, [block] * s.n)))
        assert await p.run(MULTIPLY_ADD, reads=[x, y, z], writes=[target]) == s.n + LATENCY + 1
        polynomials[target] = expected
        for block in range(6):
            await p.expect(block, p.paired(polynomials.get(block, [block] * s.n)))
    assert dut.error_o.value == 0


@cocotb.test()
async def gaussian(dut):
    """Exactly the words that the samples need, with stalls, and with words that make long scans."""
    s, p, source = await begin(dut, 4)
    both = next(i for i, entry in enumerate(s.second) if entry >= s.distance_second)
    fail_first = next(i for i, entry in enumerate(s.first) if entry == s.distance_first + both // 32)

    def long_scans():
        while True:
            yield fail_first | source.getrandbits(1) << 8
            yield both % 32 | source.getrandbits(4) << 5
            for _ in range(source.randrange(s.columns + s.rows)):
                yield source.getrandbits(9)

    for stall, words, blocks in ((0.0, None, [1]), (0.3, None, [5, 0]), (0.1, long_scans(), [2]), (0.0, None, [3, 2, 4])):
        for opcode in (GAUSSIAN_LOAD, GAUSSIAN_ENCODE_LOAD):
            p.stall, p.words_given, p.taken = stall, words, []
            message = [source.getrandbits(1) for _ in range(s.n)]
            p.message = list(message) if opcode == GAUSSIAN_ENCODE_LOAD else []
            # One cycle in which the command is taken, before sampling_o.
            assert await p.run(opcode, writes=blocks, rounds=len(blocks)) == 1
            cycles = await p.sampled()
            drawn = p.drawn()
            assert len(drawn) == len(blocks) * s.n and not p.message
            assert stall or cycles == len(p.taken) + 2
            if opcode == GAUSSIAN_ENCODE_LOAD:
                drawn[-s.n :] = [(x + bit * (s.q - 1) // 2) % s.q for x, bit in zip(drawn[-s.n :], message)]
            p.words_given = None
            for i, block in enumerate(blocks):
                await p.expect(block, p.paired(drawn[i * s.n : (i + 1) * s.n]))


@cocotb.test()
async def beside(dut):
    """A transform waits for its block, and READ, LOAD and MULTIPLY-ADD for the sampler."""
    s, p, source = await begin(dut, 5)
    for stall in (0.0, 0.5):
        p.stall, p.taken = stall, []
        message = [source.getrandbits(1) for _ in range(s.n)]
        p.message = list(message)
        await p.run(GAUSSIAN_ENCODE_LOAD, writes=[0, 3, 5], rounds=3)
        await p.run(FNTT, reads=[0, 3, 5], rounds=3)
        assert dut.sampling_o.value == 0
        drawn = p.drawn()
        drawn[-s.n :] = [(x + bit * (s.q - 1) // 2) % s.q for x, bit in zip(drawn[-s.n :], message)]
        for i, block in enumerate((0, 3, 5)):
            in_words = s.pairs(p.paired(drawn[i * s.n : (i + 1) * s.n]))
            a = [low for _, low in in_words] + [high for high, _ in in_words]
            await p.expect(block, p.slots(s.forward(a)))
    p.stall = 0.0
    # READ of the block that is being sampled.
    p.taken = []
    await p.run(GAUSSIAN_LOAD, writes=[1])
    await p.read(1)
    assert p.words == p.paired(p.drawn()[: s.n])
    # A second sampling is refused, and LOAD too; the first goes on.
    p.taken = []
    await p.run(GAUSSIAN_LOAD, writes=[1])
    for opcode in (GAUSSIAN_LOAD, GAUSSIAN_ENCODE_LOAD, LOAD):
        assert await p.run(opcode, writes=[2]) == 0
        assert dut.error_o.value == 4
        await p.command(0xF0)
    zero = [0] * s.n
    await p.sampled()
    await p.load(2, p.paired(s.random(source)))
    await p.load(4, p.paired(zero))
    p.taken = []
    # MULTIPLY-ADD behind the sampler: 0 * anything + samples.
    other = next(block for block in (2, 0, 5) if p.bank(block) != p.bank(1))
    await p.load(other, p.paired(s.random(source)))
    p.taken = []
    await p.run(GAUSSIAN_LOAD, writes=[1])
    await p.run(MULTIPLY_ADD, reads=[4, other, 1], writes=[3])
    await p.expect(3, p.paired(p.drawn()[: s.n]))
    assert dut.error_o.value == 0


@cocotb.test()
async def zeroize(dut):
    """At a random moment of each instruction: afterwards all words are zero, and everything works."""
    s, p, source = await begin(dut, 6)
    for opcode in (LOAD, GAUSSIAN_LOAD, GAUSSIAN_ENCODE_LOAD, FNTT, INTT, MULTIPLY_ADD, READ):
        for block in range(6):
            await p.load(block, p.paired(s.random(source)))
        p.data, p.message = p.paired(s.random(source)), [1] * s.n
        for byte in (0x30, 0x15, 0x12, 0x14, 0x20, 0x80 | opcode):
            await p.command(byte)
        for _ in range(source.randrange(2, s.n // 2)):
            await p.cycle()
        assert dut.busy_o.value == 1 or dut.sampling_o.value == 1
        dut.zeroize_i.value = 1
        await p.cycle()
        dut.zeroize_i.value = 0
        assert dut.busy_o.value == 1 and dut.sampling_o.value == 0 and dut.error_o.value == 0
        assert dut.data_o.value == 0 and dut.data_valid_o.value == 0
        p.words = []
        assert await p.wait() == 1024 + LATENCY
        assert not p.words and dut.data_o.value == 0
        machine = dut.processor.g_fast.machine
        assert machine.upper.value == 0 and machine.input_count.value == 0, "how far the sampler came"
        p.data, p.message = [], []
        for block in range(6):
            await p.expect(block, [0] * (s.n // 2))
    a = s.random(source)
    await p.load(1, p.coefficients(a))
    await p.run(FNTT, reads=[1])
    await p.expect(1, p.slots(s.forward(a)))


@cocotb.test()
async def power_up(dut):
    """A reset makes all words zero whatever the registers held before."""
    s, p, source = await begin(dut, 8)
    machine = dut.processor.g_fast.machine
    for shifted in (0b101, 0b1010101, 0b1000000):
        for block in range(6):
            await p.load(block, p.paired(s.random(source)))
        machine.shifted.value, machine.count.value = shifted, source.getrandbits(10)
        dut.rst_i.value = 1
        await p.cycle()
        dut.rst_i.value = 0
        assert await p.wait() == 1024 + LATENCY
        for block in range(6):
            await p.expect(block, [0] * (s.n // 2))


@cocotb.test()
async def encryption(dut):
    """Keys made here, message encrypted and decrypted; cycles within what this machine promises."""
    s, p, source = await begin(dut, 7)
    n, q = s.n, s.q
    small = lambda: [source.randint(-4, 4) % q for _ in range(n)]
    a = s.random(source)
    r1, r2 = s.forward(small()), s.forward([source.getrandbits(1) for _ in range(n)])
    form = lambda values: p.slots([x * s.r % q for x in values])
    message = [source.getrandbits(1) for _ in range(n)]
    p.message = list(message)
    await p.load(4, form(a))
    await p.load(2, form([(x - y * z) % q for x, y, z in zip(r1, a, r2)]))
    # Pushes go in while instructions run, so that only the instructions count.
    await p.run(GAUSSIAN_ENCODE_LOAD, writes=[0, 3, 5], rounds=3)
    cycles = 1 + await p.run(FNTT, reads=[0, 3, 5], rounds=3)
    for key, target in ((4, 3), (2, 5)):
        cycles += await p.run(MULTIPLY_ADD, reads=[key, 0, target], writes=[target])
    await p.load(2, form(r2))
    back = await p.run(MULTIPLY_ADD, reads=[2, 3, 5], writes=[1]) if p.bank(3) != p.bank(5) else (
        await p.run(MULTIPLY_ADD, reads=[3, 2, 5], writes=[1]))
    back += await p.run(INTT, reads=[1])
    await p.read(1)
    # Samples 2t and 2t+1, and so their bits, are the halves of word t.
    decoded = [p.bits[i // 2] >> (i & 1) & 1 for i in range(n)]
    dut._log.info(f"encryption and decryption: {cycles}, {back} cycles")
    assert decoded == message
    assert back == n + (n // 2) * s.k + 2 * (LATENCY + 1)
    assert dut.error_o.value == 0
