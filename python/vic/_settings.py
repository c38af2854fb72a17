"""Settings in the form of the program: dotted keys and texts."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import UsageError, VicWarning

Pairs = list[tuple[str, str]]


def text_of(value: Any) -> str:
    """A value in the form of --set."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    try:
        # NumPy's numbers are printed like Python's
        return repr(value.item() if hasattr(value, "item") else value)
    except ValueError:
        raise UsageError(f"A setting is one number or text, not {type(value).__name__}.") from None


def pairs(section: str, settings: Mapping[str, Any]) -> Pairs:
    """Settings of a section: noise=0.2 is world.noise."""
    return [(f"{section}.{key}", text_of(value)) for key, value in settings.items()]


def whole(value: Any, what: str) -> int:
    """A whole number of any type that the program can hold."""
    try:
        number = int(value)
        if number == value and abs(number) < 2**31:
            return number
    except (TypeError, ValueError, OverflowError):
        number = 0
    large = " of less than 32 bits" if number != 0 else ""
    raise UsageError(f"{what} is a whole number{large}, not {value!r}.")


def structured(columns: Mapping[str, NDArray[Any]]) -> NDArray[np.void]:
    """Columns of equal length as one array with a field for each."""
    rows = len(next(iter(columns.values())))
    out = np.empty(rows, dtype=[(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        out[name] = column
    return out


def warn(sentence: str) -> None:
    """Passes a warning of the program on to Python's warnings."""
    warnings.warn(sentence, VicWarning, stacklevel=3)
