"""Tables of transition probabilities as worlds: checked, and written as world files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import UsageError
from ._settings import whole
from ._worlds import World


class TabularWorld(World):
    """Your own world: a table of transition probabilities.

    P is (S, A, S) p(s' | s, a). A state whose rows are all zero is absorbing: only termination is
    left; so is one that `absorbing` names, whatever its rows. Rows must sum to 1 to within 1e-6
    and are divided by their sum. `start` is a state's index or name; an option has at most T_max
    actions, the termination included, and with termination="never" exactly T_max - 1 moves unless
    it is absorbed. `reward` (S) is paid for entering a state from another,
    `step_reward` for every move; `coordinates` is (S, d). Names are unique texts of at most 60
    bytes.
    """

    def __init__(
        self,
        P: ArrayLike,
        start: int | str = 0,
        T_max: int = 10,
        *,
        name: str = "table",
        states: Sequence[str] | None = None,
        actions: Sequence[str] | None = None,
        absorbing: ArrayLike | None = None,
        reward: ArrayLike | None = None,
        step_reward: float = 0.0,
        coordinates: ArrayLike | None = None,
        termination: str = "free",
    ) -> None:
        table = _numbers(P, "P")
        if table.ndim != 3 or table.shape[0] != table.shape[2] or 0 in table.shape:
            raise UsageError(
                f"P has the shape {table.shape}; it must be (S, A, S), p(s' | s, a), "
                "of at least one state and one action."
            )
        S, A, _ = table.shape
        table, ends = _checked(table, absorbing)
        # a state that cannot be entered nor left is the same with moves that stay
        entered = table[~ends].sum(axis=(0, 1)) > 0
        alone = ends & ~entered
        table[alone, :, :] = 0
        table[np.flatnonzero(alone), :, np.flatnonzero(alone)] = 1
        names = _names(states, S, "states")
        moves = _names(actions, A, "actions")
        begin = names.index(start) if start in names else _index(start, S)
        if ends[begin]:
            raise UsageError(
                f"The start {names[begin]} absorbs: an option that begins there has no choice."
            )
        paid = np.zeros(S) if reward is None else _row(reward, S, "reward")
        paid = np.where(entered, paid, 0)
        at = None if coordinates is None else _row(coordinates, S, "coordinates", ndim=2)
        text = _file(name, names, moves, table, ends & ~alone, begin, T_max, paid, step_reward, at)
        if termination != "free":
            text = f"termination = {_quoted(str(termination))}\n{text}"
        super().__init__(_core.World(f"{name}.toml", [], text))


# ---- checks


def _numbers(values: ArrayLike, what: str) -> NDArray[np.float64]:
    """A copy as floating-point numbers."""
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{what} is not an array of numbers: {error}.") from None
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        at = tuple(int(i) for i in bad[0])
        raise UsageError(f"{what}{list(at)} is {array[at]}; it must be a finite number.")
    return array


def _row(values: ArrayLike, S: int, what: str, ndim: int = 1) -> NDArray[np.float64]:
    array = _numbers(values, what)
    if array.ndim != ndim or len(array) != S:
        wanted = f"({S},)" if ndim == 1 else f"({S}, d)"
        raise UsageError(f"{what} has the shape {array.shape}; it must be {wanted}.")
    return array


def _index(value: Any, size: int) -> int:
    if isinstance(value, str):
        raise UsageError(f"The start {value!r} is none of the states.")
    number = whole(value, "The start")
    if not 0 <= number < size:
        raise UsageError(f"There is no state {number} to start in; there are {size}.")
    return number


def _names(names: Sequence[str] | None, size: int, what: str) -> list[str]:
    if names is None:
        return [str(i) for i in range(size)]
    listed = [str(name) for name in names]
    if len(listed) != size:
        raise UsageError(f"{what} has {len(listed)} names; it must have {size}.")
    return listed


def _checked(
    table: NDArray[np.float64], absorbing: ArrayLike | None
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Probabilities with rows that sum to 1, and the absorbing states, whose rows are zero."""
    S = len(table)
    if table.min() < 0:
        at = tuple(int(i) for i in np.argwhere(table < 0)[0])
        raise UsageError(f"P{list(at)} is {table[at]}; a probability is from 0 to 1.")
    sums = table.sum(axis=2)
    ends = (sums == 0).all(axis=1)
    if absorbing is not None:
        flags = np.asarray(absorbing)
        if flags.dtype != bool or flags.shape != (S,):
            raise UsageError(f"absorbing must be an array of {S} truth values.")
        ends = ends | flags
    wrong = np.argwhere((np.abs(sums - 1) > 1e-6) & ~ends[:, None])
    if len(wrong):
        s, a = (int(i) for i in wrong[0])
        raise UsageError(f"P[{s}, {a}] sums to {sums[s, a]:.9g}; it must sum to 1.")
    table[ends] = 0
    sums[ends] = 1
    return table / sums[:, :, None], ends


def _file(
    name: str,
    states: list[str],
    actions: list[str],
    table: NDArray[np.float64],
    ends: NDArray[np.bool_],
    start: int,
    T_max: int,
    reward: NDArray[np.float64],
    step_reward: float,
    coordinates: NDArray[np.float64] | None,
) -> str:
    """The world as a world file (docs/world-files.md), the form in which a run keeps it."""
    quoted = [_quoted(one) for one in states]
    moves = [_quoted(one) for one in actions]
    step = float(_numbers(step_reward, "step_reward"))
    lines = [
        f"name = {_quoted(name)}",
        f"T_max = {whole(T_max, 'T_max')}",
        f"start = {quoted[start]}",
        f"step_reward = {step!r}",
        f"actions = [{', '.join(moves)}]",
        f"starts = [{', '.join(one for one, end in zip(quoted, ends) if not end)}]",
        "states = [",
    ]
    for s, one in enumerate(quoted):
        parts = [f"name = {one}"]
        if coordinates is not None and coordinates.shape[1] > 0:
            parts.append(f"at = [{', '.join(repr(float(x)) for x in coordinates[s])}]")
        if ends[s]:
            parts.append("absorbing = true")
        if reward[s] != 0:
            parts.append(f"reward = {float(reward[s])!r}")
        lines.append(f"  {{ {', '.join(parts)} }},")
    lines += ["]", "transitions = ["]
    for s, a, to in np.argwhere(table > 0):
        lines.append(f"  [{quoted[s]}, {moves[a]}, {quoted[to]}, {float(table[s, a, to])!r}],")
    return "\n".join([*lines, "]", ""])


def _quoted(text: str) -> str:
    # TOML has the quotes and escapes of JSON
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"The name {text!r} is not text.") from None
    return json.dumps(text, ensure_ascii=False)
