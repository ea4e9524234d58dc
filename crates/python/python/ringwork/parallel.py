"""Work for many machines, on Dask: ``pip install ringwork[dask]``.

Start a cluster by ``dask.distributed.Client``, and call these functions; without one they run on threads of this
machine. A transform that fits in memory is faster on one core than on a cluster, and `ringwork.large.ntt_on_disk` needs
no cluster: docs/scale.md of the repository has the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from operator import index
from typing import Any, Literal

import dask.array as da
import numpy as np
import pandas as pd
from dask.distributed import Client, as_completed, default_client

from ._native import RingworkError
from .estimator.grids import grid as on_threads, with_bar
from .large import Kind, Steps

__all__ = ["intt", "map_batches", "ntt", "sweep"]


def sweep(
    function: Callable[..., Any],
    grid: Mapping[str, Iterable[Any]] | Iterable[Any],
    *,
    client: Client | None = None,
    errors: Literal["raise", "keep"] = "raise",
    progress: bool = True,
) -> pd.DataFrame:
    """A function of many parameter sets, as a table.

    Parameters
    ----------
    function : callable
        Of keywords, or of one parameter set. It may give a mapping (as estimates are), or anything else.
    grid : mapping of names to values, or iterable
        All combinations of values, by name; or parameter sets one by one: mappings of names to values, or other
        objects.
    client : dask.distributed.Client, optional
        The cluster; the one that was started last, if left out. Where there is none, threads of this machine run.
    errors : {'raise', 'keep'}
        What a `RingworkError` does, which refuses parameters: with ``'keep'`` the column ``error`` has it, or None, and
        all columns have objects.
    progress : bool
        Whether there is a bar, if ``tqdm`` is there.

    Returns
    -------
    pandas.DataFrame
        A row for each set, in order: its parameters (``parameters``, if it has no names), and what the function gave,
        by name (``result``, if that has none). A column that is called as another before it has ``result`` before its
        name.

    Examples
    --------
    >>> import ringwork as rw
    >>> def transform(n, q):
    ...     plan = rw.Plan(n, q)
    ...     return {"word": plan.bits, "slots": n // plan.slot_degree}
    >>> sweep(transform, {"n": [256, 512], "q": [3329, 7681]}, progress=False)
         n     q  word  slots
    0  256  3329    16    128
    1  256  7681    16    256
    2  512  3329    16    128
    3  512  7681    16    256
    """
    if errors not in ("raise", "keep"):
        raise ValueError(f"errors {errors!r} is none of 'raise', 'keep'")
    sets: list[Any] = list(grid)
    if isinstance(grid, Mapping):
        sets = [dict(zip(grid, values)) for values in product(*grid.values())]

    def row(parameters: Any) -> dict[str, Any]:
        named = isinstance(parameters, Mapping)
        line: dict[str, Any] = dict(parameters) if named else {"parameters": parameters}
        given: Any = {}
        error = None
        try:
            given = function(**parameters) if named else function(parameters)
        except RingworkError as refused:
            if errors == "raise":
                raise
            error = str(refused)
        found = dict(given) if isinstance(given, Mapping) else {"result": given}
        for name, value in (found | {"error": error} if errors == "keep" else found).items():
            while name in line:
                name = f"result {name}"
            line[name] = value
        return line

    client = client or _running()
    if client is None:
        rows = on_threads(sets, row, progress=progress)
    else:
        rows = _on_cluster(client, row, sets, progress)
    return pd.DataFrame(rows, dtype=object if errors == "keep" else None)


def _on_cluster(client: Client, row: Callable[[Any], Any], sets: list[Any], progress: bool) -> list[Any]:
    if client.asynchronous:
        raise ValueError("this client is asynchronous: sweep waits for results, and takes one that is not")
    futures = client.map(row, sets, pure=False)
    try:
        if progress and futures:
            for future in with_bar(as_completed(futures, loop=client.loop), len(sets)):
                if future.status == "error":
                    future.result()
        rows: Any = client.gather(futures)
        return list(rows)
    finally:
        client.cancel(futures)


def map_batches(function: Callable[..., Any], *arrays: Any, core: int = 1) -> da.Array:
    """A function of batches, such as ``plan.multiply``, on every chunk of Dask arrays.

    Parameters
    ----------
    function : callable
        Of arrays with any leading axes, over which it works one by one. It is called once on zeros, to learn what it
        gives.
    arrays : dask.array.Array
        Its arguments; leading axes are broadcast.
    core : int
        Axes of one element, at the end: 1 for polynomials, 2 for polynomials of residues (`Rns`). Arrays that are cut
        along these are put together first.

    Returns
    -------
    dask.array.Array
        The result, which is computed when it is asked for.

    Examples
    --------
    >>> import dask.array as da, ringwork as rw
    >>> plan = rw.Plan(256, 3329)
    >>> a, b = (da.random.randint(0, 3329, (1000, 256), chunks=(250, 256)) for _ in range(2))
    >>> products = map_batches(plan.multiply, a, b)
    >>> products.shape, products.dtype, products.chunksize
    ((1000, 256), dtype('int64'), (250, 256))
    """
    core, given_arrays = index(core), [da.asarray(array) for array in arrays]
    if core < 0 or any(array.ndim < core for array in given_arrays) or not arrays:
        raise ValueError(f"core = {core}: arrays have that many axes at least, and there is one at least")
    shapes = [array.shape[array.ndim - core :] for array in given_arrays]
    if any(np.isnan(length) for shape in shapes for length in shape):
        raise ValueError("lengths are not known: array.compute_chunk_sizes() finds them")
    zeros = [np.zeros((1, *shape), array.dtype) for shape, array in zip(shapes, given_arrays)]
    sample = function(*zeros)
    if not isinstance(sample, np.ndarray) or sample.shape[:1] != (1,):
        raise ValueError(f"the function gives no array with an axis for batches: {type(sample).__name__} of zeros")
    # Every axis has a name of its own, so that elements of different shapes do.
    names = [[f"a{i}_{j}" for j in range(core)] for i in range(len(arrays))]
    given = ",".join(f"({','.join(axes)})" for axes in names)
    results = {f"r{j}": length for j, length in enumerate(sample.shape[1:])}
    array: da.Array = da.apply_gufunc(
        function,
        f"{given}->({','.join(results)})",
        *given_arrays,
        output_dtypes=sample.dtype,
        output_sizes=results,
        allow_rechunk=True,
    )
    return array


def ntt(x: da.Array, q: int, *, kind: Kind = "negacyclic", root: int | None = None) -> da.Array:
    """The number-theoretic transform of one polynomial that is larger than the memory of a machine.

    Every coefficient moves between machines three times at most: to columns of a matrix, from columns to rows, and to
    natural order.

    Parameters
    ----------
    x : dask.array.Array of int, shape (n,)
        Coefficients between ``-q`` and ``q``, the constant one first.
    q, kind, root
        As for `ringwork.large.ntt_on_disk`.

    Returns
    -------
    dask.array.Array
        Residues from 0 to below `q`, in natural order, in chunks like those of `x`, with the type of `x`, or a wider
        one if it cannot hold them.

    Examples
    --------
    >>> import dask.array as da, ringwork as rw
    >>> x = da.arange(1 << 14, chunks=1 << 12)
    >>> bool((ntt(x, 65537, kind="cyclic") == rw.ntt(x.compute(), 65537, kind="cyclic")).all())
    True
    """
    return _transform(x, Steps.of(_length(x), q, kind, root, inverse=False))


def intt(x: da.Array, q: int, *, kind: Kind = "negacyclic", root: int | None = None) -> da.Array:
    """The inverse of `ntt`, with the same parameters."""
    return _transform(x, Steps.of(_length(x), q, kind, root, inverse=True))


def _transform(x: Any, steps: Steps) -> da.Array:
    R, C = steps.rows, steps.columns
    words = int(max(x.chunksize[0], 1))
    dtype = x.dtype if np.iinfo(x.dtype).max >= steps.q - 1 else steps.dtype
    # `map_blocks` keeps the places of chunks: what turns is the array, never a chunk.
    columns = _on_rows(steps.down, max(1, words // R), steps.dtype)(x.reshape(R, C).T)
    rows = _on_rows(steps.across, max(1, words // C), dtype)(columns.T)
    array: da.Array = rows.T.rechunk((max(1, words // R), R)).reshape(R * C).rechunk(x.chunks)
    return array


def _on_rows(step: Callable[[Any, int], Any], count: int, dtype: np.dtype[Any]) -> Callable[[Any], Any]:
    """A step on so many rows at once."""

    def piece(rows: Any, block_info: Any = None) -> Any:
        first, _ = block_info[0]["array-location"][0]
        return step(rows, first).astype(dtype, copy=False)

    def whole(array: Any) -> Any:
        chunks = array.rechunk((count, array.shape[1]))
        return da.map_blocks(piece, chunks, dtype=dtype, meta=np.empty((0, 0), dtype))

    return whole


def _length(x: da.Array) -> int:
    if not isinstance(x, da.Array):
        raise TypeError(f"x is no array of Dask: {type(x).__name__}; ringwork.ntt and ringwork.large take others")
    if x.ndim != 1 or x.dtype.kind not in "iu":
        raise ValueError(f"x is no array of integers with one axis: {x.dtype}, shape {x.shape}")
    if np.isnan(x.shape[0]):
        raise ValueError("the length of x is not known: x.compute_chunk_sizes() finds it")
    return int(x.shape[0])


def _running() -> Client | None:
    try:
        client: Client = default_client()
    except ValueError:
        return None
    return client
