"""The optima of a world, exact and with certificates."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._settings import pairs, structured
from ._worlds import World, as_world


class Exact:
    """The optima of a tabular world, in nats. Unknown values are None, and notes say why.

    H_max is the largest coverage of any policy: none has more than H_max + H_max_gap. D_max is the
    largest control, H_at_D_max the coverage of that policy, C_open the capacity of action sequences
    that are chosen in advance, reward_max the largest expected external reward.
    """

    states_reachable: int
    H_max: float
    H_max_gap: float
    D_max: float | None
    D_max_gap: float | None
    H_at_D_max: float | None
    C_open: float | None
    C_open_gap: float | None
    reward_max: float | None
    notes: list[str]

    def __init__(self, world: World, core: _core.Exact) -> None:
        self.world = world
        self._core = core
        for name, value in core.numbers.items():
            setattr(self, name, value)

    @property
    def policy(self) -> NDArray[np.float64]:
        """(T_max, S, A + 1) a policy with H = H_max: p(action | time, state), termination last;
        NaN for states that cannot be occupied at that time."""
        return self._core.policy

    @property
    def p_final(self) -> NDArray[np.float64]:
        """(S) p(s_f) of that policy."""
        return self._core.p_final

    @property
    def history_policy(self) -> dict[str, NDArray[Any]] | None:
        """A policy with D = D_max, which depends on the whole history: arrays t, parent, action,
        state (R) and pi (R, A + 1) with a row for each history; parent is the row of the history
        before it and action led from there. None if the tree of histories is too large."""
        return self._core.history_policy

    def __repr__(self) -> str:
        control = "unknown" if self.D_max is None else f"{self.D_max:.4f}"
        return f"<vic.Exact {self.world.name}: H_max {self.H_max:.4f}, D_max {control}>"


class StartMap:
    """The optima from every state that is not absorbing, as a start.

    `table` is a structured array with the fields state, states_reachable, H_max, H_max_gap, D_max,
    D_max_gap, H_at_D_max and C_open; unknown values are NaN, and `notes` say why.
    """

    def __init__(self, world: World, columns: dict[str, NDArray[Any]], notes: list[str]) -> None:
        self.world = world
        self.notes = notes
        self.table = structured(columns)

    def on_map(self, field: str = "H_max") -> NDArray[np.float64]:
        """A field as an image of the world; NaN at walls and absorbing states."""
        values = np.full(self.world.S, np.nan)
        values[self.table["state"]] = self.table[field]
        return self.world.on_map(values)

    def __repr__(self) -> str:
        return f"<vic.StartMap {self.world.name}: {len(self.table)} starts>"


def exact(world: str | os.PathLike[str] | World, *, fast: bool = False, **settings: Any) -> Exact:
    """The optima of a tabular world.

    Settings are those of vic exact: gap, budget, histories, sequences. With `fast` only H_max,
    D_max and C_open are computed.
    """
    of = as_world(world)
    return Exact(of, _core.exact(of._core, pairs("exact", settings), fast))


def exact_map(
    world: str | os.PathLike[str] | World, *, threads: int = 1, **settings: Any
) -> StartMap:
    """The optima from every start: the empowerment map. Settings as in `exact`."""
    of = as_world(world)
    columns, notes = _core.start_map(of._core, pairs("exact", settings), threads)
    return StartMap(of, columns, notes)
