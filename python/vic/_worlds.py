"""Worlds: registered names and files, as arrays."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import UsageError
from ._settings import Pairs, pairs, whole


class World:
    """A world: a table of states, actions and transitions, or a simulator.

    Arrays of a table are views into it and cannot be written to. S, A and T_max are the numbers of
    states, of moves, and the largest number of actions in an option, termination included; the
    termination is action number A.
    """

    def __init__(self, core: _core.World) -> None:
        self._core = core

    @property
    def name(self) -> str:
        """Its name in results."""
        return self._core.name

    @property
    def is_table(self) -> bool:
        """Whether it is a table; the properties below are those of tables."""
        return self._core.is_table

    @property
    def specification(self) -> dict[str, Any]:
        """The specification of a simulated world: state_names, start, actuators, T, coordinates."""
        return self._core.specification

    @property
    def S(self) -> int:
        """The number of states."""
        return self._core.S

    @property
    def A(self) -> int:
        """The number of moves; the termination is action number A."""
        return self._core.A

    @property
    def T_max(self) -> int:
        """The largest number of actions in an option, the termination included."""
        return self._core.T_max

    @property
    def may_stop(self) -> bool:
        """Whether an option may terminate before it has to."""
        return self._core.may_stop

    @property
    def start(self) -> int:
        """The state in which options begin."""
        return self._core.start

    @property
    def state_names(self) -> list[str]:
        """(S)"""
        return self._core.state_names

    @property
    def action_names(self) -> list[str]:
        """(A + 1), "terminate" last."""
        return self._core.action_names

    @property
    def absorbing(self) -> NDArray[np.bool_]:
        """(S) states in which only termination is left."""
        return self._core.absorbing

    @property
    def coordinates(self) -> NDArray[np.float64]:
        """(S, d), where d is 0 for a world without."""
        return self._core.coordinates

    @property
    def final_states(self) -> NDArray[np.int32]:
        """The states in which an option can end, in increasing order."""
        return self._core.final_states

    @property
    def enter_reward(self) -> NDArray[np.float64]:
        """(S) the external reward of entering each state from another."""
        return self._core.enter_reward

    @property
    def step_reward(self) -> float:
        """The external reward of every move."""
        return self._core.step_reward

    @property
    def picture(self) -> list[str]:
        """Lines of text; empty if it has none."""
        return self._core.picture

    @property
    def transitions(self) -> NDArray[np.void]:
        """Fields s, a, next and p, one element for each transition of positive probability."""
        core = self._core
        counts = np.diff(core.first)
        fields = [("s", np.int32), ("a", np.int32), ("next", np.int32), ("p", np.float64)]
        out = np.empty(len(core.next), dtype=fields)
        pair = np.repeat(np.arange(self.S * self.A), counts)
        out["s"], out["a"] = np.divmod(pair, self.A)
        out["next"], out["p"] = core.next, core.p
        return out

    @property
    def P(self) -> NDArray[np.float64]:
        """(S, A, S) p(s' | s, a), a new array; absorbing states stay where they are."""
        if self.S * self.A * self.S > 10**8:
            raise UsageError(
                f"P of {self.name} would have {self.S} x {self.A} x {self.S} numbers; "
                "use transitions."
            )
        dense = np.zeros((self.S, self.A, self.S))
        rows = self.transitions
        dense[rows["s"], rows["a"], rows["next"]] = rows["p"]
        ends = np.flatnonzero(self.absorbing)
        dense[ends, :, ends] = 1
        return dense

    def on_map(self, values: ArrayLike) -> NDArray[np.float64]:
        """Values of the states, (S), as an image of the world's picture; NaN elsewhere."""
        drawn = self._core.picture_cells
        cells = drawn if len(drawn) > 0 else self._grid()
        image = np.full(cells.max(axis=0) + 1, np.nan)
        image[cells[:, 0], cells[:, 1]] = np.asarray(values, dtype=float)
        return image

    def _grid(self) -> NDArray[np.int32]:
        """(S, 2) rows and columns of states whose coordinates are whole numbers x, y."""
        at = self.coordinates
        if at.shape[1] != 2 or not np.array_equal(at, np.round(at)):
            raise UsageError(f"{self.name} has no picture, and no whole coordinates x, y.")
        columns_rows: NDArray[np.int32] = (at - at.min(axis=0)).astype(np.int32)
        return columns_rows[:, ::-1]

    def _number(self, state: int | str) -> int:
        """The index of a state that is given by index or by name."""
        name, names = self._state(state), self.state_names
        if name not in names:
            raise UsageError(f"There is no state {name!r} in {self.name}.")
        return names.index(name)

    def _state(self, state: int | str) -> str:
        """The name of a state that is given by index or by name."""
        if isinstance(state, str):
            return state
        names = self.state_names
        number = whole(state, "A state")
        if not 0 <= number < len(names):
            raise UsageError(
                f"There is no state {number}; {self.name} has those from 0 to {len(names) - 1}."
            )
        return names[number]

    def __repr__(self) -> str:
        if not self.is_table:
            return f"<vic.World {self.name}, simulated>"
        return f"<vic.World {self.name}: S {self.S}, A {self.A}, T_max {self.T_max}>"


def world(source: str | os.PathLike[str] | World, **settings: Any) -> World:
    """The world of a registered name or of a file, with settings such as noise=0.2.

    A World is returned with the settings changed.
    """
    changed = pairs("world", settings)
    if isinstance(source, World):
        core = source._core
        return World(_core.World(core.source, list(core.settings) + changed, core.text))
    return World(_core.World(os.fspath(source), changed, ""))


def worlds() -> list[tuple[str, str, str]]:
    """Name, figure of the paper and summary of all worlds that have a name."""
    return _core.worlds()


def as_world(source: str | os.PathLike[str] | World) -> World:
    """The world that an argument stands for."""
    return source if isinstance(source, World) else world(source)


def source_pairs(of: World) -> Pairs:
    """run.world and the world's settings, for a run."""
    return [*of._core.settings, ("run.world", of._core.source)]
