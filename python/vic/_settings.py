"""Settings as the program takes them: dotted keys and texts."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any

from ._errors import UsageError, VicWarning

Pairs = list[tuple[str, str]]


def text_of(value: Any) -> str:
    """A value as --set takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    try:
        # numbers of NumPy print as those of Python do
        return repr(value.item() if hasattr(value, "item") else value)
    except ValueError:
        raise UsageError(f"A setting is one number or text, not {type(value).__name__}.") from None


def pairs(section: str, settings: Mapping[str, Any]) -> Pairs:
    """Settings of a section: noise=0.2 is world.noise."""
    return [(f"{section}.{key}", text_of(value)) for key, value in settings.items()]


def whole(value: Any, what: str) -> int:
    """A whole number, of whatever type."""
    try:
        number = int(value)
        if number == value:
            return number
    except (TypeError, ValueError, OverflowError):
        pass
    raise UsageError(f"{what} is a whole number, not {value!r}.")


def warn(sentence: str) -> None:
    """Passes a warning of the program on to Python's."""
    warnings.warn(sentence, VicWarning, stacklevel=3)
