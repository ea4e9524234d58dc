"""Netlists of processors: synthesised by Yosys, written as Verilog, and played in Verilator in place of the sources."""

import pathlib
import re

import pyosys
import tools

SHARE = pathlib.Path(pyosys.__file__).parent / "share"
# Commands of synthesis. `coarse` leaves sums, products and memories as they are (-noalumacc: write_verilog has no text
# for the cells that it would make), `gates` only memories, and the others have the cells of a device.
COMMANDS = {
    "coarse": "synth -flatten -noalumacc -run begin:fine",
    "gates": "synth -flatten -noalumacc -run begin:fine; techmap; opt -fast; abc -g AND,OR,XOR,MUX; opt_clean",
    "xc6v": "synth_xilinx -family xc6v -flatten -noiopad",
    "ecp5": "synth_ecp5",
}
# Files with the vendor's cells, as they come with Yosys.
CELLS = {"xc6v": ["xilinx/cells_sim.v"], "ecp5": ["ecp5/cells_sim.v", "ecp5/cells_bb.v"]}


def script(name, machine, command, apart=None, sources=tools.SOURCES):
    """Lines that synthesise a processor; the module `apart` is not flattened."""
    top = f"ringwork_{name}"
    first, *others = command.split("; ")
    return [
        f"read_verilog -defer -sv {' '.join(map(str, (*sources, tools.SETS[name].source)))}",
        f"hierarchy -top {top} -chparam FAST {int(machine == 'fast')}",
        *([f"setattr -mod -set keep_hierarchy 1 *{apart}"] if apart else []),
        f"{first} -top {top}",
        *others,
    ]


def written(title, lines):
    """Runs them, and gives the netlist as Verilog."""
    path = tools.build_directory("netlists") / f"{title}.v"
    path.unlink(missing_ok=True)
    tools.yosys(title, "\n".join([*lines, f"write_verilog -noattr {path}\n"]))
    return path


def joined(name, count):
    return "{" + ", ".join(f"{name}{i}" for i in range(count)[::-1]) + "}"


# A memory of 512 words of 36 bits, read and written by one clock; a word that is being written is read as its
# complement, as in ram.sv.
MEMORY = """
  reg [35:0] words[0:511];
  reg [35:0] seen;
  wire [8:0] reads = {reads}, writes = {writes};
  wire [35:0] given = {given};
  wire [3:0] enables = {enables};
  wire [35:0] mask = {{{{9{{enables[3]}}}}, {{9{{enables[2]}}}}, {{9{{enables[1]}}}}, {{9{{enables[0]}}}}}};
  always @(posedge {clock}) begin
    seen <= words[reads] ^ (reads == writes ? mask : 36'd0);
    words[writes] <= given & mask | words[writes] & ~mask;
  end
  assign {out} = seen;
  generate if ({other}) $error("a memory of another kind"); endgenerate
"""

# What cells do that Yosys only declares, in the way in which processors use them; another one is an error.
BEHAVIOUR = {
    "RAMB18E1": MEMORY.format(
        clock="CLKARDCLK", reads="ADDRARDADDR[13:5]", writes="ADDRBWRADDR[13:5]", enables="WEBWE",
        given="{DIPBDIP[1], DIBDI[15:8], DIPBDIP[0], DIBDI[7:0], DIPADIP[1], DIADI[15:8], DIPADIP[0], DIADI[7:0]}",
        out="{DOPBDOP[1], DOBDO[15:8], DOPBDOP[0], DOBDO[7:0], DOPADOP[1], DOADO[15:8], DOPADOP[0], DOADO[7:0]}",
        other='RAM_MODE != "SDP" || READ_WIDTH_A != 36 || WRITE_WIDTH_B != 36 || DOA_REG != 0',
    ) + "  always @(posedge CLKARDCLK) if (!ENARDEN || !ENBWREN || RSTRAMARSTRAM || RSTRAMB) $fatal;\n",
    "DP16KD": MEMORY.format(
        clock="CLKA", reads="{ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5}",
        writes="{ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5}", enables="{ADA3, ADA2, ADA1, ADA0}",
        given=f"{{{joined('DIB', 18)}, {joined('DIA', 18)}}}", out=f"{{{joined('DOB', 18)}, {joined('DOA', 18)}}}",
        other='DATA_WIDTH_A != 36 || DATA_WIDTH_B != 36 || REGMODE_A != "NOREG" || REGMODE_B != "NOREG"',
    ) + "  always @(posedge CLKA) if (!CEA || !CEB || !WEA || WEB || RSTA || RSTB) $fatal;\n",
    "MULT18X18D": f"""
  assign {joined('P', 36)} = {{18'd0, {joined('A', 18)}}} * {{18'd0, {joined('B', 18)}}};
  always @* if (SIGNEDA || SIGNEDB || SOURCEA || SOURCEB) $fatal;
  generate
    if (REG_INPUTA_CLK != "NONE" || REG_INPUTB_CLK != "NONE" || REG_PIPELINE_CLK != "NONE" || REG_OUTPUT_CLK != "NONE")
      $error("a product with registers");
  endgenerate
""",
}


def cells(device):
    """A file of the device's cells: those of Yosys, with the behaviour above where they have none."""
    text = "".join((SHARE / path).read_text() for path in CELLS[device])
    used = []

    def body(found):
        if found[2] not in BEHAVIOUR:
            return found[0]
        used.append(found[2])
        head = re.sub(r"specify.*?endspecify", "", found[1], flags=re.S)
        return f"{head}{BEHAVIOUR[found[2]]}endmodule"

    text = re.sub(r"(^module (\w+)(?:.(?!endmodule))*.)endmodule", body, text, flags=re.S | re.M)
    assert sorted(used) == {"xc6v": ["RAMB18E1"], "ecp5": ["DP16KD", "MULT18X18D"]}[device]
    path = tools.build_directory("netlists") / f"cells-{device}.v"
    path.write_text(text)
    return path


class Difference(Exception):
    """What a netlist does is not what the model does."""


def sign_off(title, name, machine, netlist, device, rounds):
    """Round trips on a netlist, with the digest, the failures and the cycles of the model; gives the digest."""
    library = ["-v", cells(device), f"-I{SHARE / device}"] if device in CELLS else []
    played = tools.round_trips(name, machine, rounds, seed=1, title=title, sources=[*library, netlist])
    model = tools.model_round_trips(name, machine, rounds, seed=1)
    if played != model:
        raise Difference(f"{netlist.name}: {played}, and the model: {model}")
    return played["digest"]
