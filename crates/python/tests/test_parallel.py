"""Work on clusters and on disk, against the same on one machine and in memory."""

from __future__ import annotations

import doctest
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask.array
import dask.distributed
import numpy as np
import pandas as pd
import pytest
import ringwork as rw
from dask.distributed import Client
from numpy.typing import NDArray
from ringwork import large, parallel
from ringwork.estimator import LWE, schemes

Array = NDArray[Any]
# Their types are not what they take.
da: Any = dask.array
distributed: Any = dask.distributed

# n, q and kind: all widths of words, one of 64 bits without a sign bit, and factors 3.
RINGS: list[tuple[int, int, large.Kind]] = [
    (256, 7681, "cyclic"),
    (1 << 12, 2013265921, "negacyclic"),
    (1 << 12, 1125899906826241, "cyclic"),
    (1 << 11, 1152921504606830593, "negacyclic"),
    (1 << 12, 18446744069414584321, "negacyclic"),
    (3 << 9, 12289, "cyclic"),
    (12, 13, "cyclic"),
    (4, 17, "negacyclic"),
]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """Two processes of one thread each."""
    here = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with distributed.LocalCluster(**here, dashboard_address=None) as cluster, Client(cluster) as client:
        yield client


def words(n: int, q: int, *leading: int) -> Array:
    dtype = np.uint64 if q >= 1 << 63 else np.int64
    return np.random.default_rng(n).integers(0, q, (*leading, n), dtype)


def described(n: int, q: int) -> dict[str, Any]:
    plan = rw.Plan(n, q)
    return {"word": plan.bits, "slots": n // (plan.slot_degree or n)}


@pytest.mark.parametrize("n, q, kind", RINGS)
@pytest.mark.parametrize("memory", [1, 1 << 14, 1 << 30])
def test_on_disk_is_as_in_memory(tmp_path: Path, n: int, q: int, kind: large.Kind, memory: int) -> None:
    x = words(n, q)
    there, back = (np.memmap(tmp_path / name, x.dtype, "w+", shape=(n,)) for name in ("there", "back"))
    large.ntt_on_disk(x, there, q, kind=kind, memory=memory)
    np.testing.assert_array_equal(there, rw.ntt(x, q, kind=kind))
    large.intt_on_disk(there, back, q, kind=kind, memory=memory)
    np.testing.assert_array_equal(back, x)


def test_any_root_and_sign() -> None:
    n, q = 1024, 12289
    x = words(n, q) - q // 2
    # The third power of the smallest root.
    root = pow(7, 3, q)
    expected = rw.Plan(n, q, root=root).forward(x) % q
    np.testing.assert_array_equal(large.ntt_on_disk(x, np.empty_like(x), q, root=root), expected)
    narrow = np.empty(n, np.int16)
    np.testing.assert_array_equal(large.ntt_on_disk(x, narrow, q, root=root), expected)


def test_what_is_refused(tmp_path: Path) -> None:
    x, out = words(64, 257), np.empty(64, np.int64)
    for n in (0, 1, 2, 6, 15, 60, 63):
        with pytest.raises(rw.PlanError, match="is not 2\\^k"):
            large.ntt_on_disk(x[:n], out[:n], 2521, kind="cyclic")
    with pytest.raises(rw.PlanError, match=r"no prime with a root of unity of order 128"):
        large.ntt_on_disk(x, out, 263)
    with pytest.raises(rw.PlanError, match=r"no prime"):
        large.ntt_on_disk(x, out, 257 * 641)
    with pytest.raises(rw.PlanError, match="no primitive root"):
        large.ntt_on_disk(x, out, 257, root=1)
    with pytest.raises(rw.PlanError, match="not from 0 to below q"):
        large.ntt_on_disk(x, out, 257, root=258)
    with pytest.raises(rw.PlanError, match="no prime below"):
        large.ntt_on_disk(x, out, (1 << 64) + 13)
    with pytest.raises(rw.PlanError, match="one must be given"):
        large.Steps.of(1 << 40, 18446744069414584321, "cyclic", None, inverse=False)
    with pytest.raises(ValueError, match="kind 'trinomial'"):
        large.ntt_on_disk(x, out, 257, kind="trinomial")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="of one array or file"):
        large.ntt_on_disk(x, x, 257)
    with pytest.raises(ValueError, match="no array of integers with one axis: float64"):
        large.ntt_on_disk(x, out.astype(float), 257)
    with pytest.raises(ValueError, match="no array of integers with one axis: list"):
        large.ntt_on_disk([1, 2, 3, 4], out, 257)  # type: ignore[arg-type]  # pyright: ignore
    with pytest.raises(ValueError, match=r"shape \(8, 8\)"):
        large.ntt_on_disk(x.reshape(8, 8), out, 257)
    with pytest.raises(ValueError, match="not contiguous"):
        large.ntt_on_disk(np.zeros(128, int)[::2], out, 257)
    with pytest.raises(ValueError, match="out has 32 words"):
        large.ntt_on_disk(x, out[:32], 257)
    with pytest.raises(ValueError, match="memory = 0"):
        large.ntt_on_disk(x, out, 257, memory=0)
    with pytest.raises(ValueError, match="cannot be written"):
        _read_only(x)
    with pytest.raises(TypeError, match="does not hold"):
        large.ntt_on_disk(x, np.empty(64, np.int8), 257)
    for bad in (257, -257, 257 + (1 << 32)):
        for memory in (1, 1 << 30):
            with pytest.raises(rw.CoefficientError, match=r"x\[19\] is not between"):
                large.ntt_on_disk(np.where(np.arange(64) == 19, bad, x), out, 257, memory=memory)


def _read_only(x: Array) -> None:
    out = np.empty_like(x)
    out.flags.writeable = False
    large.ntt_on_disk(x, out, 257)


def test_one_file_by_two_names(tmp_path: Path) -> None:
    np.arange(64).tofile(tmp_path / "file")
    (tmp_path / "soft").symlink_to("file")
    os.link(tmp_path / "file", tmp_path / "hard")
    x = np.memmap(tmp_path / "file", np.int64, "r")
    for name in ("file", "soft", "hard"):
        out = np.memmap(tmp_path / name, np.int64, "r+")
        for view in (out, np.asarray(out), out.view(np.ndarray)[:]):
            with pytest.raises(ValueError, match="of one array or file"):
                large.ntt_on_disk(x, view, 257)
    assert x.tolist() == list(range(64))


@pytest.mark.parametrize("n, q, kind", RINGS)
@pytest.mark.parametrize("chunks", [1 << 20, 640, 37])
def test_chunks_are_as_one_array(n: int, q: int, kind: large.Kind, chunks: int) -> None:
    x = words(n, q)
    there = parallel.ntt(da.from_array(x, chunks=min(n, max(chunks, n // 50))), q, kind=kind)
    assert there.shape == (n,) and there.dtype == x.dtype
    found = there.compute(scheduler="sync")
    assert found.dtype == x.dtype
    np.testing.assert_array_equal(found, rw.ntt(x, q, kind=kind))
    np.testing.assert_array_equal(parallel.intt(there, q, kind=kind).compute(scheduler="sync"), x)


def test_what_dask_refuses() -> None:
    x = da.arange(64, chunks=16)
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        parallel.ntt(x[x < 40], 257)
    with pytest.raises(TypeError, match="no array of Dask: ndarray"):
        parallel.ntt(np.arange(64), 257)  # type: ignore[arg-type]  # pyright: ignore
    with pytest.raises(ValueError, match="one axis: float64"):
        parallel.ntt(x * 1.0, 257)
    assert parallel.ntt(da.zeros(256, dtype=np.int8, chunks=64), 7681, kind="cyclic").compute().dtype.itemsize >= 2
    with pytest.raises(ValueError, match="no array with an axis for batches"):
        parallel.map_batches(lambda a: (a, a), x)
    with pytest.raises(ValueError, match="no array with an axis for batches"):
        parallel.map_batches(lambda a: a.sum(), x)
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        parallel.map_batches(lambda a: a, x[x < 40])


def test_a_worker_that_is_killed(client: Client) -> None:
    n, q = 1 << 20, 2013265921
    x = words(n, q)
    before: Any = client.run(os.getpid)
    result = parallel.ntt(da.from_array(x, chunks=n >> 4), q).persist()
    while not any(future.done() for future in distributed.futures_of(result)):
        time.sleep(0.01)
    os.kill(next(iter(before.values())), signal.SIGKILL)
    np.testing.assert_array_equal(result.compute(), rw.ntt(x, q))
    client.wait_for_workers(2)
    after: Any = client.run(os.getpid)
    assert set(after.values()) != set(before.values())


def kill_once(mark: str, k: int) -> int:
    """Ends its process if nobody did so before."""
    if k == 20:
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return k
        os.kill(os.getpid(), signal.SIGKILL)
    return k


def test_a_sweep_goes_on_when_a_worker_dies(client: Client, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    found = parallel.sweep(kill_once, {"mark": [str(mark)], "k": range(40)}, progress=False)
    assert mark.exists() and found["result"].tolist() == list(range(40))


@pytest.mark.parametrize("cluster", [False, True])
def test_sweeps_are_tables(request: pytest.FixtureRequest, cluster: bool, capfd: pytest.CaptureFixture[str]) -> None:
    where: Client | None = request.getfixturevalue("client") if cluster else None
    grid: dict[str, list[int]] = {"n": [256, 512], "q": [3329, 7681]}
    found = parallel.sweep(described, grid, client=where)
    assert "4/4" in capfd.readouterr().err
    expected = [{"n": n, "q": q} | described(n, q) for n in grid["n"] for q in grid["q"]]
    pd.testing.assert_frame_equal(found, pd.DataFrame(expected))
    sets = [schemes.Kyber512, schemes.Kyber768]
    costs = parallel.sweep(LWE.primal_usvp, sets, client=where, progress=False)
    assert costs["parameters"].tolist() == sets
    assert costs["rop"].tolist() == [LWE.primal_usvp(it)["rop"] for it in sets]


def test_sweeps_keep_errors_and_names() -> None:
    with pytest.raises(rw.PlanError):
        parallel.sweep(described, {"n": [256], "q": [3329, 0]}, progress=False)
    kept = parallel.sweep(described, {"n": [256], "q": [3329, 0]}, errors="keep", progress=False)
    assert kept["error"].isna().tolist() == [True, False] and kept["slots"].tolist()[0] == 128
    large_ones = parallel.sweep(lambda q: (1 << 60) + rw.Plan(4, q).n, {"q": [17, 0]}, errors="keep", progress=False)
    assert large_ones["result"].tolist()[0] == (1 << 60) + 4
    alike = parallel.sweep(lambda error: {"result error": 1}, {"error": [7]}, errors="keep", progress=False)
    assert alike.to_dict("list") == {"error": [7], "result error": [1], "result result error": [None]}
    with pytest.raises(ZeroDivisionError):
        parallel.sweep(lambda q: 1 // q, {"q": [0]}, errors="keep", progress=False)
    doubled = parallel.sweep(lambda n: {"n": 2 * n}, [{"n": 1}, {"n": 2}], progress=False)
    assert doubled.to_dict("list") == {"n": [1, 2], "result n": [2, 4]}
    with pytest.raises(ValueError, match="none of 'raise', 'keep'"):
        parallel.sweep(described, [], errors="ignore")  # type: ignore[arg-type]
    assert parallel.sweep(described, []).empty


def fails(k: int) -> int:
    return 1 // k


def test_sweeps_on_a_cluster_of_one_s_own(client: Client) -> None:
    with distributed.Client(client.scheduler_info()["address"], set_as_default=False) as other:
        for progress in (False, True):
            assert parallel.sweep(abs, [-1, 2], client=other, progress=progress)["result"].tolist() == [1, 2]
            assert parallel.sweep(abs, [], client=other, progress=progress).empty
            with pytest.raises(ZeroDivisionError):
                parallel.sweep(fails, [1, 0], client=other, progress=progress)


def test_batches(client: Client) -> None:
    plan = rw.Plan(256, 3329)
    a, b = words(256, 3329, 10, 3), words(256, 3329, 3)
    chunks = da.from_array(a, chunks=(4, 2, 100)), da.from_array(b, chunks=(1, 256))
    products = parallel.map_batches(plan.multiply, *chunks)
    assert products.shape == a.shape and products.dtype == a.dtype
    np.testing.assert_array_equal(products.compute(), plan.multiply(a, b))
    np.testing.assert_array_equal(parallel.map_batches(plan.forward, chunks[0]).compute(), plan.forward(a))
    points = parallel.map_batches(lambda x: plan.evaluate(x, 5), chunks[1])
    np.testing.assert_array_equal(points.compute(), plan.evaluate(b, 5))
    rns = rw.Rns(64, bits=150)
    numbers = np.array([[(i * j + 1) ** 20 % rns.modulus for i in range(64)] for j in range(6)], object)
    residues = parallel.map_batches(rns.decompose, da.from_array(numbers, chunks=(2, 64)))
    squares = parallel.map_batches(rns.multiply, residues, residues, core=2)
    np.testing.assert_array_equal(squares.compute(), rns.multiply(*[rns.decompose(numbers)] * 2))
    with pytest.raises(ValueError, match="core = 3"):
        parallel.map_batches(plan.multiply, *chunks, core=3)


def test_examples_of_the_documentation() -> None:
    for module in (large, parallel):
        assert doctest.testmod(module).failed == 0 and doctest.testmod(module).attempted > 0
