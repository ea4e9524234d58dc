"""Every program against the model, step by step: each word that is written, when and where, the words that are read,
and the cycles of each instruction."""

import json
import os
import pathlib

import cocotb
import pytest
import tools
from processor import Numbers, Processor

LOAD, GAUSSIAN_LOAD, READ, GAUSSIAN_ENCODE_LOAD = 0x80, 0x82, 0x88, 0x8A


@pytest.mark.parametrize("machine", tools.MACHINES)
@pytest.mark.parametrize("name,simulator", tools.cases())
def test_trace(name, simulator, machine):
    traces(name, simulator, machine, tools.latency("MODMUL"))


@pytest.mark.parametrize("machine", tools.MACHINES)
@pytest.mark.parametrize("depth", [tools.DEPTHS[0], tools.DEPTHS[-1]])
def test_depths(depth, machine):
    """The least and the largest multiplier, with P1."""
    traces("p1", tools.SIMULATORS[0], machine, depth)


def traces(name, simulator, machine, depth):
    """The model's programs at this depth, and the simulation of the same."""
    directory = tools.build_directory(f"traces-{name}-{machine}-{depth}")
    which = ["--set", name, "--machine", machine, "--depth", str(depth), "--seed", "3"]
    for program in ("keygen", "encrypt", "decrypt"):
        trace = tools.ringwork("processor", "trace", program, *which)
        (directory / f"{program}.json").write_text(json.dumps(trace))
    parameters = {"FAST": int(machine == "fast"), "DEPTH": depth}
    tools.simulate("test_trace", name, simulator, parameters, RTL_TRACES=str(directory))


def part(signal, width, index):
    bits = str(signal.value)
    return int(bits[len(bits) - width * (index + 1) : len(bits) - width * index], 2)


class Traced(Processor):
    """A processor whose writes are noted."""

    def __init__(self, dut, numbers, trace):
        super().__init__(dut, numbers)
        self.trace = trace
        self.started, self.since = 0, 0
        self.writes, self.spent, self.sampled = [], [], []
        # Blocks of a bank: two banks for n = 256, three for 512, six for 1024.
        self.slots = 1024 // numbers.n

    def block(self, bank, address):
        slot = address // (self.s.n // 2)
        return {4: bank + 2 * slot, 2: 2 * bank + slot, 1: bank}[self.slots]

    async def cycle(self):
        memory, width = self.dut.processor, 2 * self.s.width
        if self.started:
            # What is not written may be undefined.
            for bank, enable in enumerate(reversed(str(memory.write.value))):
                if enable == "1":
                    address = part(memory.write_address, 9, bank)
                    high, low = self.s.pairs([part(memory.write_data, width, bank)])[0]
                    at = address % (self.s.n // 2)
                    self.writes.append([self.started - 1, self.since, self.block(bank, address), at, low, high])
            # Sampling beside other instructions has cycles of its own.
            if self.dut.busy_o.value == 1:
                self.spent[self.running if self.since else self.started - 1] += 1
            if self.dut.sampling_o.value == 1:
                self.spent[self.sampling] += 1
        self.since += 1
        await super().cycle()

    def given(self):
        while True:
            words = self.trace["random"]
            yield words[len(self.taken)] if len(self.taken) < len(words) else 0

    async def program(self):
        width = self.s.width
        self.data = [high << width | low for low, high in self.trace["data"]]
        self.message = list(self.trace["bits"])
        self.words_given = self.given()
        for byte in bytes.fromhex(self.trace["bytes"]):
            starts = byte >> 4 == 8
            rests = byte in (LOAD, GAUSSIAN_LOAD, READ, GAUSSIAN_ENCODE_LOAD)
            while starts and (self.dut.busy_o.value == 1 or rests and self.dut.sampling_o.value == 1):
                await self.cycle()
            self.dut.cmd_i.value, self.dut.cmd_valid_i.value = byte, 1
            await self.cycle()
            self.dut.cmd_valid_i.value = 0
            if starts:
                if self.trace["machine"] == "fast" and byte in (GAUSSIAN_LOAD, GAUSSIAN_ENCODE_LOAD):
                    self.sampling = self.started
                else:
                    self.running = self.started
                self.started, self.since = self.started + 1, 0
                self.spent.append(0)
        for _ in range(8):
            await self.cycle()
        while self.dut.busy_o.value == 1 or self.dut.sampling_o.value == 1:
            await self.cycle()


async def compare(dut, name):
    trace = json.loads((pathlib.Path(os.environ["RTL_TRACES"]) / f"{name}.json").read_text())
    p = Traced(dut, Numbers(tools.SETS[os.environ["RTL_SET"]].source), trace)
    await p.start()
    await p.program()
    assert dut.error_o.value == 0
    expected = sorted(map(tuple, trace["writes"]))
    written = sorted(map(tuple, p.writes))
    wrong = [(x, y) for x, y in zip(written, expected) if x != y]
    assert len(written) == len(expected) and not wrong, f"{len(written)} of {len(expected)} words, {wrong[:4]}"
    read = [[low, high, bits & 1, bits >> 1] for (high, low), bits in zip(p.s.pairs(p.words), p.bits)]
    assert read == trace["read"]
    assert p.spent == [instruction["cycles"] for instruction in trace["instructions"]]
    assert len(p.taken) == len(trace["random"])


@cocotb.test()
async def keygen(dut):
    await compare(dut, "keygen")


@cocotb.test()
async def encrypt(dut):
    await compare(dut, "encrypt")


@cocotb.test()
async def decrypt(dut):
    await compare(dut, "decrypt")
