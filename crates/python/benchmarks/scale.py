"""What a transform moves and takes, in memory, on disk, and on a cluster of two processes of this machine, in one run:
`python benchmarks/scale.py [FOLDER [LOG2_N ...]]`.

Rows are nanoseconds a coefficient, of 64-bit words modulo 2^64 - 2^32 + 1, cyclic, in natural order: the least of three,
on the cluster of one, since Dask knows again what it has computed. Results are compared. Files are on the disk of FOLDER, in the cache of the system where they fit in it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask.array
import dask.distributed
import numpy as np
import ringwork as rw
from ringwork import large, parallel

da: Any = dask.array
distributed: Any = dask.distributed

Q = (1 << 64) - (1 << 32) + 1
# Generates all residues.
GENERATOR = 7


def nanoseconds(n: int, call: Callable[[], Any], times: int = 3) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return min(taken) / n * 1e9


def row(log: int, folder: Path, client: Any) -> str:
    n = 1 << log
    root = pow(GENERATOR, (Q - 1) // n, Q)
    x = np.random.default_rng(log).integers(0, Q, n, np.uint64)
    source, target = (np.memmap(folder / name, np.uint64, "w+", shape=(n,)) for name in ("source", "target"))
    source[:] = x
    source.flush()
    on_disk = nanoseconds(n, lambda: large.ntt_on_disk(source, target, Q, kind="cyclic", root=root))
    copied = nanoseconds(n, lambda: np.copyto(target, source))
    large.ntt_on_disk(source, target, Q, kind="cyclic", root=root)
    one, inside = None, "–"
    if log <= 24:
        plan = rw.Plan(n, Q, kind="cyclic", root=root)
        one = plan.forward(x)
        inside = f"{nanoseconds(n, lambda: plan.forward(x, out=one)):.1f}"
        assert np.array_equal(one, target)
    chunks = da.from_array(x, chunks=n >> 4).persist()
    distributed.wait(chunks)
    moved = nanoseconds(n, lambda: distributed.wait(_moved(chunks).persist()), 1)
    results: list[Any] = []

    def again() -> None:
        results.append(parallel.ntt(chunks, Q, kind="cyclic", root=root).persist())
        distributed.wait(results)

    clustered = nanoseconds(n, again, 1)
    assert np.array_equal(results[0].compute(), target)
    return f"| 2^{log} | {inside} | {copied:.1f} | {on_disk:.1f} | {moved:.1f} | {clustered:.1f} |"


def _moved(x: Any) -> Any:
    """From rows of a matrix to its columns: one exchange."""
    side = 1 << x.shape[0].bit_length() // 2
    return x.reshape(side, -1).rechunk((side, x.shape[0] // side >> 4))


def main(folder: str | None = None, *logs: str) -> None:
    print(f"{os.cpu_count()} cores; numpy {np.__version__}")
    print("| n | in memory | a copy of a file | on disk | one exchange between two processes | on them |")
    print("|---|---:|---:|---:|---:|---:|")
    with (
        tempfile.TemporaryDirectory(dir=folder) as name,
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        for log in map(int, logs or ("20", "22", "24", "26")):
            print(row(log, Path(name), client), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
