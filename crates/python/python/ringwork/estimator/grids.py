"""Estimates for many parameters."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from .problems import Parameters

Result = TypeVar("Result")


def grid(
    parameters: Iterable[Parameters],
    estimate: Callable[[Parameters], Result],
    jobs: int | None = None,
    progress: bool = True,
) -> list[Result]:
    """``estimate`` of all parameters, in their order, on as many threads as the machine has, or ``jobs``.

    With a progress bar if ``tqdm`` is there: ``pip install ringwork[progress]``.

    >>> from ringwork.estimator import LWE, grid, schemes
    >>> sets = [schemes.Kyber512.updated(n=n, m=n) for n in (512, 768, 1024)]
    >>> [cost["rop"] for cost in grid(sets, LWE.primal_usvp, progress=False)]
    [≈2^143.8, ≈2^215.0, ≈2^288.8]
    """
    sets = list(parameters)
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        results: Iterable[Result] = pool.map(estimate, sets)
        return list(with_bar(results, len(sets)) if progress else results)


def with_bar(steps: Iterable[Result], count: int) -> Iterable[Result]:
    """The same steps, behind a progress bar if ``tqdm`` is there."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return steps
    bar: Iterable[Result] = tqdm(steps, total=count)
    return bar
