"""Options to act with, from any source."""

from __future__ import annotations

import os
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import UsageError
from ._worlds import World, as_world


class Execution(Protocol):
    """An option in progress."""

    def draw(self, u: float) -> int:
        """The next action, picked by u in [0, 1): a move, or A to terminate."""

    def move(self, action: int, state: int) -> None:
        """The action was taken, and led to the state."""


class Options(Protocol):
    """A set of options in a world: run.options(), vic.eigenoptions(), or your own class."""

    @property
    def world(self) -> World:
        """The world whose states and moves they have, and which limits the number of moves."""

    def __len__(self) -> int: ...

    def begin(self, option: int, state: int) -> Execution:
        """An option that begins in a state."""


class TableOptions:
    """Options whose moves are a table (options, T_max - 1, S) of time and state; A terminates."""

    def __init__(self, world: World, moves: NDArray[np.int32]) -> None:
        if moves.ndim != 3 or moves.shape[1:] != (world.T_max - 1, world.S):
            raise UsageError(
                f"The moves have the shape {moves.shape}; it must be (options, "
                f"{world.T_max - 1}, {world.S})."
            )
        self.world, self.moves = world, moves

    def __len__(self) -> int:
        return len(self.moves)

    def begin(self, option: int, state: int) -> Execution:
        """An option that begins in a state."""
        return _TableExecution(self.moves[option], state, self.world.A)


class _TableExecution:
    def __init__(self, moves: NDArray[np.int32], state: int, A: int) -> None:
        self.moves, self.state, self.A, self.taken = moves, state, A, 0

    def draw(self, _: float) -> int:
        return self.A if self.taken == len(self.moves) else int(self.moves[self.taken, self.state])

    def move(self, _: int, state: int) -> None:
        self.state, self.taken = state, self.taken + 1


def eigenoptions(world: str | os.PathLike[str] | World, count: int) -> TableOptions:
    """The eigenoptions of `count` purposes (Machado et al., 2017): each slow direction of the map,
    both ways, and the best moves along it from every state. A baseline: nothing is learned, and
    the map must be known."""
    of = as_world(world)
    if count < 1:
        raise UsageError(f"{count} eigenoptions cannot be made; take at least 1.")
    return TableOptions(of, _core.eigenoption_moves(of._core, count))
