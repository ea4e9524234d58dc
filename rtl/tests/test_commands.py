"""Commands: all 256 bytes in several states, on both machines: error codes, what starts, and no memory changed."""

import os
import random

import cocotb
import pytest
import tools
from processor import ADD, CMULT, ENCODE_LOAD, FNTT, GAUSSIAN_LOAD, INTT, LOAD, READ, REARRANGE, Numbers, Processor

MULTIPLY_ADD, GAUSSIAN_ENCODE_LOAD = 9, 10
INPUTS = (LOAD, GAUSSIAN_LOAD, GAUSSIAN_ENCODE_LOAD)


@pytest.mark.parametrize("machine", tools.MACHINES)
@pytest.mark.parametrize("name", tools.SETS if tools.LONG else ["p1"])
def test_commands(name, machine):
    tools.simulate("test_commands", name, tools.SIMULATORS[0], {"FAST": int(machine == "fast")}, RTL_MACHINE=machine)


FAST = os.environ.get("RTL_MACHINE") == "fast"


class Expected:
    """The rules, as they are written."""

    def __init__(self, numbers):
        self.blocks = 1024 // numbers.n
        self.reads, self.writes, self.rounds, self.error = [], [], 1, 0

    def bank(self, block):
        return block & 1 if self.blocks == 4 else block // self.blocks

    def refusal(self, byte, busy, sampling):
        kind, low = byte >> 4, byte & 15
        if kind in (1, 2):
            return 3 if low >= 6 else 0
        if kind == 3:
            return 6 if low > 2 else 0
        if kind != 8:
            return 0 if byte in (0x00, 0xF0) else 1
        defined = (LOAD, GAUSSIAN_LOAD, FNTT, INTT, READ) + (
            (MULTIPLY_ADD, GAUSSIAN_ENCODE_LOAD) if FAST else (ENCODE_LOAD, ADD, CMULT, REARRANGE))
        if low not in defined:
            return 1
        if busy or FAST and sampling and low in INPUTS:
            return 4
        several = self.rounds if FAST else 1
        reads, writes = {
            LOAD: (0, 1), ENCODE_LOAD: (0, 1), GAUSSIAN_LOAD: (0, several), GAUSSIAN_ENCODE_LOAD: (0, several),
            FNTT: (self.rounds, 0), INTT: (self.rounds, 0), ADD: (2, 1), CMULT: (2, 1), MULTIPLY_ADD: (3, 1),
            REARRANGE: (1, 0), READ: (1, 0),
        }[low]
        if len(self.reads) < reads or len(self.writes) < writes:
            return 2
        if low == MULTIPLY_ADD and self.bank(self.reads[1]) == self.bank(self.reads[2]):
            return 5
        return 0

    def take(self, byte, busy=False, sampling=False):
        """Goes on to the next state; whether an instruction starts."""
        error, kind, low = self.refusal(byte, busy, sampling), byte >> 4, byte & 15
        self.error = self.error or error
        starts = kind == 8 and not error
        if error or starts or byte == 0xF0:
            self.reads, self.writes = [], []
        if byte == 0xF0:
            self.error = 0
        if not error and kind == 1:
            self.reads = [low, *self.reads][:3]
        if not error and kind == 2:
            self.writes = [low, *self.writes][:3]
        if not error and kind == 3:
            self.rounds = low + 1
        return starts


async def begin(dut, seed):
    s = Numbers(tools.SETS[os.environ["RTL_SET"]].source)
    p = Processor(dut, s, seed)
    await p.start()
    return s, p, random.Random(seed), Expected(s)


async def filled(s, p, source):
    words = [[s.word(source.randrange(s.q), source.randrange(s.q)) for _ in range(s.n // 2)] for _ in range(6)]
    for block in range(6):
        await p.load(block, words[block])
    return words


async def unchanged(p, words):
    await p.command(0xF0)
    for block in range(6):
        await p.read(block)
        assert p.words == words[block], f"block {block}"


STATES = ([0x30], [0x30, 0x10], [0x31, 0x20], [0x32, 0x11, 0x12], [0x31, 0x10, 0x11, 0x12, 0x25], [0x32, 0x25, 0x23, 0x21],
          [0x30, 0x12, 0x13, 0x10, 0x24], [0x32, 0x15, 0x11, 0x13, 0x12, 0x20, 0x21, 0x22, 0x23])


@cocotb.test()
async def all_bytes(dut):
    """From every state; what starts is stopped by zeroization, which also clears the state."""
    s, p, source, _ = await begin(dut, 1)
    words = await filled(s, p, source)
    for state in STATES:
        for byte in range(256):
            e = Expected(s)
            await p.command(0xF0)
            for before in state:
                await p.command(before)
                e.take(before)
            starts = e.take(byte)
            await p.command(byte)
            assert dut.error_o.value == e.error, (state, hex(byte))
            assert dut.busy_o.value == starts, (state, hex(byte))
            if starts and byte != 0x88:
                p.stall = 0.0
                p.dut.zeroize_i.value = 1
                await p.cycle()
                p.dut.zeroize_i.value = 0
                await p.wait()
                words = await filled(s, p, source)
            else:
                await p.wait()
        await unchanged(p, words)


@cocotb.test()
async def while_one_runs(dut):
    """Every byte in the middle of a transform, which is not disturbed."""
    s, p, source, e = await begin(dut, 2)
    words = await filled(s, p, source)
    await p.run(FNTT, reads=[3])
    await p.read(3)
    words[3] = list(p.words)
    await p.run(INTT, reads=[3])
    await p.read(3)
    again = list(p.words)
    await p.load(3, words[3])
    runs = 0
    pending = list(range(256))
    source.shuffle(pending)
    while pending:
        await p.command(0xF0)
        e.take(0xF0)
        for byte in (0x30, 0x13, 0x84):
            e.take(byte)
            await p.command(byte)
        # In P1 a transform is long enough for all.
        while pending and dut.busy_o.value == 1:
            for byte in (0x11, 0x21, pending.pop()):
                e.take(byte, busy=True)
                await p.command(byte)
                assert dut.error_o.value == e.error, hex(byte)
        runs += 1
        await p.wait()
        await p.command(0xF0)
        e.take(0xF0)
        await p.read(3)
        assert p.words == again
        if pending:
            await p.load(3, words[3])
    assert runs == 1
    words[3] = again
    await unchanged(p, words)


@cocotb.test()
async def random_commands(dut):
    """Long runs of bytes that start nothing: queues, error and iterations as the rules say."""
    s, p, source, e = await begin(dut, 3)
    words = await filled(s, p, source)
    await p.command(0x30)
    for _ in range(4000):
        byte = source.choice((source.randrange(256), 0x10 | source.randrange(7), 0x20 | source.randrange(7),
                              0x30 | source.randrange(4), 0xF0, 0x80 | source.randrange(16)))
        if byte >> 4 == 8 and not e.refusal(byte, False, False):
            continue
        e.take(byte)
        await p.command(byte)
        assert dut.error_o.value == e.error and dut.busy_o.value == 0, hex(byte)
    await p.command(0x30)
    await unchanged(p, words)
