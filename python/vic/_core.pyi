"""The module in C++, private to the package (python/*.cpp)."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Pairs = Sequence[tuple[str, str]]

version: str

class World:
    source: str
    settings: list[tuple[str, str]]
    text: str
    name: str
    is_table: bool
    specification: dict[str, Any]
    S: int
    A: int
    T_max: int
    may_stop: bool
    start: int
    has_reward: bool
    step_reward: float
    state_names: list[str]
    action_names: list[str]
    first: NDArray[np.int32]
    next: NDArray[np.int32]
    p: NDArray[np.float64]
    enter_reward: NDArray[np.float64]
    absorbing: NDArray[np.bool_]
    coordinates: NDArray[np.float64]
    final_states: NDArray[np.int32]
    picture: list[str]
    picture_cells: NDArray[np.int32]
    def __init__(self, name: str, settings: Pairs, text: str) -> None: ...

class Exact:
    numbers: dict[str, Any]
    policy: NDArray[np.float64]
    history_policy: dict[str, NDArray[Any]] | None
    p_final: NDArray[np.float64]

class Watch:
    def __init__(
        self,
        progress: Callable[[int, int, float], object] | None,
        every: int,
        warn: Callable[[str], None],
    ) -> None: ...

class Run:
    settings: list[tuple[str, str]]
    world: World
    update: int
    updates: int
    skills: int
    def evaluate(self) -> str: ...
    def sample(self, options: int, seed: int) -> dict[str, Any]: ...
    def policy_table(self) -> dict[str, Any]: ...
    def condition(self, goal: str) -> int: ...
    def reach_states(self, goal: str, settings: Pairs) -> dict[str, Any]: ...
    def reach_place(self, goal: str, settings: Pairs) -> dict[str, float]: ...
    def attempt(self, goal: str, settings: Pairs) -> dict[str, Any]: ...

class Execution:
    p: NDArray[np.float64]
    def __init__(self, run: Run, start: int, condition: int, temperature: float) -> None: ...
    def draw(self, u: float) -> int: ...
    def move(self, action: int, state: int) -> None: ...

class Episodes:
    def __init__(self, world: World, B: int) -> None: ...
    def reset(self, seed: int) -> NDArray[np.float64]: ...
    def step(self, levels: NDArray[np.int32]) -> NDArray[np.float64]: ...
    def displacements(self) -> NDArray[np.float64]: ...

def worlds() -> list[tuple[str, str, str]]: ...
def exact(world: World, settings: Pairs, fast: bool) -> Exact: ...
def start_map(
    world: World, settings: Pairs, threads: int
) -> tuple[dict[str, NDArray[Any]], list[str]]: ...
def eigenoption_moves(world: World, count: int) -> NDArray[np.int32]: ...
def train(settings: Pairs, copy: str, origin: str, out: str, force: bool, watch: Watch) -> str: ...
def resume(folder: str, watch: Watch) -> None: ...
def load(folder: str, warn: Callable[[str], None]) -> Run: ...
def command(arguments: list[str], progress: bool) -> str: ...
def verdict(
    text: str,
    measure: str,
    versus: str,
    group: str,
    algorithm: str,
    at_least: float | None,
    at_most: float | None,
    by_seed: dict[int, float],
) -> str: ...
def set_environments(make: Callable[..., Any]) -> None: ...
