"""The modular product of all pairs of coefficients."""

import subprocess

import pytest
import tools


@pytest.mark.parametrize("name,h", [("p1", 15), ("p2", 3)])
def test_all_products(name, h):
    s = tools.SETS[name]
    directory = tools.BUILD / f"products-{name}"
    parameters = {"Q": s.q, "H": h, "SPLIT": (s.q // h).bit_length() - 1, "WIDTH": s.width}
    flags = f'-std=c++17 -O2 -DRW_Q={s.q} -DRW_R={s.r} -DRW_TOP=Vringwork_modmul -DRW_HEADER=\\"Vringwork_modmul.h\\"'
    command = ["verilator", "--cc", "--exe", "--build", "-O3", "-Wno-fatal", "--top-module", "ringwork_modmul"]
    command += [f"-G{key}={value}" for key, value in parameters.items()]
    command += ["-CFLAGS", flags, "--Mdir", str(directory), "-o", "products"]
    command += [str(tools.RTL / "src" / "modmul.sv"), str(tools.RTL / "tests" / "products.cpp")]
    subprocess.run(command, check=True, capture_output=True, text=True)
    done = subprocess.run([str(directory / "products")], check=True, capture_output=True, text=True)
    assert done.stdout == f"0 of {s.q**2}\n"
