__all__ = ["bkz", "delta", "distribution", "lwe", "ntru", "sis"]

_Cost = tuple[str, list[float], list[int]]

def lwe(
    attack: str,
    n: int,
    q: int | float,
    secret: str,
    error: str,
    samples: int | None,
    cost_model: str,
    form: str,
) -> _Cost | None: ...
def ntru(
    attack: str,
    n: int,
    q: int | float,
    f: str,
    g: str,
    circulant: bool,
    cost_model: str,
    form: str,
) -> _Cost | None: ...
def sis(
    n: int,
    q: int | float,
    bound: float,
    infinity: bool,
    width: int | None,
    cost_model: str,
    form: str,
) -> _Cost | None: ...
def distribution(name: str, n: int) -> tuple[float, float, float, float, float, float]: ...
def bkz(cost_model: str, beta: int, d: int) -> float: ...
def delta(beta: int) -> float: ...
