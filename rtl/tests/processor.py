"""What cocotb tests share: a processor under test, and plain arithmetic to compare it with."""

import random
import re

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

LOAD, ENCODE_LOAD, GAUSSIAN_LOAD, FNTT, INTT, ADD, CMULT, REARRANGE, READ = range(9)


def bit_reverse(i, bits):
    return int(format(i, f"0{bits}b")[::-1], 2)


class Numbers:
    """A parameter set, read from its generated wrapper."""

    def __init__(self, source):
        text = source.read_text()
        found = dict(re.findall(r"\.([A-Z_]+)\((\{[^}]*\}|\d+)\)", text))
        vector = lambda name: [int(value, 2 if base == "b" else 10) for base, value in re.findall(r"\d+'([bd])(\d+)", found[name])][::-1]
        number = lambda name: int(found[name])
        self.n, self.q, self.k = number("N"), number("Q"), number("N").bit_length() - 1
        self.width = self.q.bit_length()
        self.r = pow(2, 2 * number("SPLIT"), self.q)
        self.psi = vector("ROOTS")[self.k + 1] * pow(self.r, -1, self.q) % self.q
        self.rows, self.first_column, self.columns = number("ROWS"), number("FIRST_COLUMN"), number("COLUMNS")
        self.first, self.second = vector("FIRST"), vector("SECOND")
        self.distance_first = 1 << (number("FIRST_WIDTH") - 1)
        self.distance_second = 1 << (number("SECOND_WIDTH") - 1)
        self.weights, self.digits = vector("WEIGHTS"), vector("DIGITS")
        # The rows with a one, the last first, column by column.
        self.ones = [[row for row in range(self.rows)[::-1] if digits >> row & 1] for digits in self.digits]

    def word(self, high, low):
        return high << self.width | low

    def pairs(self, words):
        return [(word >> self.width, word & ((1 << self.width) - 1)) for word in words]

    def forward(self, a):
        """A[j] = sum of a[i] psi^((2j+1) i), term by term."""
        n, q = self.n, self.q
        powers = [pow(self.psi, e, q) for e in range(2 * n)]
        return [sum(a[i] * powers[(2 * j + 1) * i % (2 * n)] for i in range(n)) % q for j in range(n)]

    def before(self, a):
        """Words of a polynomial that is to be transformed."""
        half = self.n // 2
        places = [bit_reverse(i, self.k - 1) for i in range(half)]
        return [self.word(a[r + half], a[r]) for r in places]

    def after(self, a):
        """Words of a polynomial that was transformed."""
        half = self.n // 2
        return [self.word(a[j + half], a[j]) for j in range(half)]

    def random(self, source):
        return [source.randrange(self.q) for _ in range(self.n)]


class Walk:
    """The sampler, step by step, on digits of the matrix: rows are counted here, not scanned."""

    def __init__(self, numbers):
        self.numbers = numbers
        self.words = []
        self.skip = 0

    def step(self, word):
        """Takes a random word; returns the sample that ends with it, else None."""
        self.words.append(word)
        s, words = self.numbers, self.words
        entry = s.first[words[0] & 255]
        if entry >= s.distance_first:
            if len(words) < 2:
                return None
            entry = s.second[(entry - s.distance_first) * 32 + (words[1] & 31)]
            if entry >= s.distance_second:
                distance = entry - s.distance_second
                for column, step in enumerate(words[2:]):
                    distance = 2 * distance + (step & 1)
                    ones = s.ones[column]
                    if distance < len(ones):
                        row = ones[distance]
                        # COLUMN steps, then one for each row up to the sample.
                        if len(words) < 2 + column + 1 + row + 1:
                            return None
                        return self.end(row, word)
                    distance -= len(ones)
                    if column + 1 == s.columns - s.first_column:
                        self.words = []
                        return None
                return None
        return self.end(entry, word)

    def end(self, row, word):
        self.words = []
        return -row % self.numbers.q if word >> 8 else row


class Processor:
    """Drives the ports. Everything is set and seen at falling edges."""

    def __init__(self, dut, numbers, seed=1):
        self.dut, self.s = dut, numbers
        self.source = random.Random(seed)
        self.cycles = 0
        self.taken = []
        self.words = []
        self.bits = []
        # Called once a cycle; say whether data, bits and random words are valid.
        self.data, self.message, self.words_given = [], [], None
        self.stall = 0.0

    async def start(self):
        dut = self.dut
        for name in ("rst_i", "zeroize_i", "cmd_i", "cmd_valid_i", "data_i", "data_valid_i", "bit_i", "bit_valid_i",
                     "random_i", "random_valid_i"):
            getattr(dut, name).value = 0
        dut.rst_i.value = 1
        Clock(dut.clk_i, 10, unit="ns").start()
        await FallingEdge(dut.clk_i)
        await FallingEdge(dut.clk_i)
        dut.rst_i.value = 0
        await self.wait()

    def ready(self):
        return self.source.random() >= self.stall

    async def cycle(self):
        """One cycle: inputs are driven, what is taken at its end is noted, and its outputs are seen."""
        dut = self.dut
        data_valid, bit_valid, random_valid = (self.ready() for _ in range(3))
        data_valid, bit_valid = data_valid and bool(self.data), bit_valid and bool(self.message)
        dut.data_valid_i.value, dut.bit_valid_i.value, dut.random_valid_i.value = data_valid, bit_valid, random_valid
        dut.data_i.value = self.data[0] if data_valid else self.source.getrandbits(2 * self.s.width)
        dut.bit_i.value = self.message[0] if bit_valid else self.source.getrandbits(1)
        word = self.source.getrandbits(9) if self.words_given is None else next(self.words_given)
        dut.random_i.value = word if random_valid else self.source.getrandbits(9)
        # random_ready_o may follow from bit_valid_i in the same cycle.
        await Timer(1, unit="ns")
        if data_valid and dut.data_ready_o.value == 1:
            self.data.pop(0)
        if bit_valid and dut.bit_ready_o.value == 1:
            self.message.pop(0)
        if random_valid and dut.random_ready_o.value == 1:
            self.taken.append(word)
        if dut.data_valid_o.value == 1:
            self.words.append(int(dut.data_o.value))
            self.bits.append(int(dut.bits_o.value))
        self.cycles += int(dut.busy_o.value)
        await FallingEdge(dut.clk_i)

    async def command(self, byte):
        self.dut.cmd_i.value, self.dut.cmd_valid_i.value = byte, 1
        await self.cycle()
        self.dut.cmd_valid_i.value = 0
        self.dut.cmd_i.value = self.source.getrandbits(8)

    async def wait(self):
        """Until nothing runs; the cycles with busy_o so far."""
        self.cycles = 0
        while self.dut.busy_o.value == 1:
            await self.cycle()
        return self.cycles

    async def run(self, opcode, reads=(), writes=(), rounds=1):
        """An instruction: reads[0] is RdQ0. Its cycles."""
        await self.command(0x30 | (rounds - 1))
        for index in reversed(reads):
            await self.command(0x10 | index)
        for index in reversed(writes):
            await self.command(0x20 | index)
        await self.command(0x80 | opcode)
        return await self.wait()

    async def load(self, block, words):
        self.data = list(words)
        cycles = await self.run(LOAD, writes=[block])
        assert not self.data
        return cycles

    async def read(self, block):
        self.words, self.bits = [], []
        cycles = await self.run(READ, reads=[block])
        assert len(self.words) == self.s.n // 2
        return cycles
