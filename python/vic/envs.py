"""vic's worlds as environments of Gymnasium, and options as actions.

If Gymnasium is installed, importing vic registers "vic/NAME-v0" for every world that has a name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import UsageError
from ._options import Options
from ._runs import Run
from ._worlds import World, as_world, worlds


class WorldEnv(gymnasium.Env[int, int]):
    """A tabular world. Observations are states; actions are its moves, and termination last.

    A world whose options may not terminate before they have to has the moves alone.

    An episode is an option: it is terminated by the termination action and in absorbing states, and
    truncated after `moves` moves, T_max - 1 by default. The reward is the world's external one.
    reset(options={"start": s}) begins in another state.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self, world: str | World, *, moves: int | None = None, render_mode: str | None = None
    ) -> None:
        self.world = as_world(world)
        if not self.world.is_table:
            raise UsageError(f"{self.world.name} is simulated; vic.envs.SimulatorEnv is its kind.")
        self.moves = self.world.T_max - 1 if moves is None else moves
        self.render_mode = render_mode
        # lists are faster: a step reads single numbers
        core = self.world._core
        self._A = self.world.A
        self._first, self._next = core.first.tolist(), core.next.tolist()
        self._p_up_to = _sums_within(core.p, core.first).tolist()
        self._absorbing = self.world.absorbing.tolist()
        self._enter, self._step_reward = self.world.enter_reward.tolist(), self.world.step_reward
        self._actions = self._A + self.world.may_stop
        self.observation_space = _discrete(self.world.S)
        self.action_space = _discrete(self._actions)
        self.state, self.taken = self.world.start, 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        self.state, self.taken = self.world.start, 0
        if options and "start" in options:
            self.state = self.world._number(options["start"])
        return self.state, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        if not isinstance(action, (int, np.integer)) or not 0 <= action < self._actions:
            raise UsageError(f"There is no action {action!r}; there are {self._actions}.")
        if action == self._A or self._absorbing[self.state]:
            return self.state, 0.0, True, False, {}
        pair = self.state * self._A + int(action)
        begin, end = self._first[pair], self._first[pair + 1]
        # what rounding leaves up to 1 goes to the last outcome
        after = self._next[bisect_right(self._p_up_to, self.np_random.random(), begin, end - 1)]
        reward = self._step_reward + (self._enter[after] if after != self.state else 0.0)
        self.state, self.taken = after, self.taken + 1
        terminated = self._absorbing[after]
        return after, reward, terminated, not terminated and self.taken >= self.moves, {}

    def render(self) -> str | None:  # type: ignore[override]
        if self.render_mode != "ansi":
            return None
        lines = [list(line) for line in self.world.picture]
        if lines:
            row, column = self.world._core.picture_cells[self.state]
            lines[row][column] = "@"
        return "\n".join("".join(line) for line in lines) or self.world.state_names[self.state]


def _sums_within(p: NDArray[np.float64], first: NDArray[np.int32]) -> NDArray[np.float64]:
    """Cumulated sums of p from the first outcome of each state and move onward."""
    before: NDArray[np.float64] = np.concatenate([[0.0], np.cumsum(p)])
    within: NDArray[np.float64] = before[1:] - np.repeat(before[first[:-1]], np.diff(first))
    return within


def _discrete(n: int) -> Any:
    # a space of NumPy's integers; an environment may return Python's
    return gymnasium.spaces.Discrete(n)


class SimulatorEnv(gymnasium.Env[NDArray[np.float64], NDArray[np.int64]]):
    """A simulated world: a registered one, a MuJoCo model, or your own simulator.

    Observations are the numbers of the state, actions a level for each actuator. An episode is an
    option: it is truncated after the world's T actions. The reward is 0: intrinsic control has
    none, and a task is a wrapper that reads info["coordinates"], the world's coordinates as
    measured from the start.
    """

    metadata = {"render_modes": []}

    def __init__(self, world: str | World, *, render_mode: str | None = None) -> None:
        self.world = as_world(world)
        self.render_mode = render_mode
        promised = self.world.specification
        self.T = int(promised["T"])
        self.coordinate_names = [name for name, _, _, _ in promised["coordinates"]]
        self._episodes = _core.Episodes(self.world._core, 1)
        shape = (len(promised["start"]),)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape, np.float64)
        levels = [len(controls) for _, controls in promised["actuators"]]
        self.action_space = gymnasium.spaces.MultiDiscrete(levels)  # type: ignore[assignment]
        self.taken = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        super().reset(seed=seed)
        self.taken = 0
        states = self._episodes.reset(int(self.np_random.integers(2**48)))
        return states[0], self._info()

    def step(
        self, action: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        if not self.action_space.contains(np.asarray(action)):
            raise UsageError(f"{action!r} is no action; it must be in {self.action_space}.")
        states = self._episodes.step(np.asarray(action, dtype=np.int32)[None])
        self.taken += 1
        return states[0], 0.0, False, self.taken >= self.T, self._info()

    def _info(self) -> dict[str, Any]:
        from_start = self._episodes.displacements()[0].tolist()
        return {"coordinates": dict(zip(self.coordinate_names, from_start))}


class OptionsEnv(gymnasium.Wrapper[int, int, int, int]):
    """Options as actions: action i executes an option; with a run, the one conditioned on goals[i].

    The environment has the states and moves of the options' world as observations and actions: that
    of WorldEnv, or a table that vic.from_gymnasium has read. An option takes moves until its policy
    terminates it, until it has as many as options may have, or until the episode ends. Rewards are
    summed; info has `moves`, how many it took, and along the way `states`, `actions` and `rewards`.
    With `primitives` the first actions are the moves of the environment, one each, and options
    follow.

    `options` is a run or any vic.Options: those of an agent with skills, eigenoptions, your own. A
    run must have been trained from all starts (starts="all") unless every option begins at the
    start. By default, its goals are all states in which an option can end.
    """

    def __init__(
        self,
        env: gymnasium.Env[int, int],
        options: Run | Options,
        goals: Sequence[int | str] | None = None,
        *,
        temperature: float = 1.0,
        primitives: bool = False,
    ) -> None:
        super().__init__(env)
        if isinstance(options, Run):
            options = options.options(goals, temperature=temperature)
        elif goals is not None:
            raise UsageError("goals are those of a run; these options have their own.")
        self.options = options
        world = options.world
        space, actions = env.observation_space, env.action_space
        moves = actions.n if isinstance(actions, gymnasium.spaces.Discrete) else -1
        if space != gymnasium.spaces.Discrete(world.S) or moves not in (world.A, world.A + 1):
            raise UsageError(
                f"{env} has the spaces {space} and {actions}; options of {world.name} need "
                f"{world.S} states and {world.A} moves."
            )
        self.primitives = world.A if primitives else 0
        self._A, self._most_moves = world.A, world.T_max - 1
        self.action_space = _discrete(self.primitives + len(options))
        self._state: int | None = None

    @property
    def goals(self) -> list[int]:
        """The states that the options are conditioned on, if they are conditioned on states."""
        return list(getattr(self.options, "goals", None) or [])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[int, dict[str, Any]]:
        self._state, info = self.env.reset(seed=seed, options=options)
        return self._state, info

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        if self._state is None:
            raise UsageError("reset comes before the first step.")
        states, actions, rewards = [int(self._state)], [int(action)], []
        if action < self.primitives:
            after, reward, terminated, truncated, info = self.env.step(action)
            states.append(int(after))
            rewards.append(float(reward))
        else:
            actions.clear()
            terminated = truncated = False
            info = {}
            option = self.options.begin(int(action) - self.primitives, states[0])
            random = self.env.unwrapped.np_random
            while len(actions) < self._most_moves and not (terminated or truncated):
                chosen = option.draw(random.random())
                if chosen == self._A:
                    break
                after, reward, terminated, truncated, info = self.env.step(chosen)
                states.append(int(after))
                actions.append(chosen)
                rewards.append(float(reward))
                option.move(chosen, states[-1])
        self._state = states[-1]
        way = {"moves": len(actions), "states": states, "actions": actions, "rewards": rewards}
        return self._state, sum(rewards), terminated, truncated, {**info, **way}


def make(world: str, **arguments: Any) -> WorldEnv | SimulatorEnv:
    """The environment of a world, of either kind."""
    of = as_world(world)
    return WorldEnv(of, **arguments) if of.is_table else SimulatorEnv(of, **arguments)


def register() -> None:
    """Registers vic/NAME-v0 for every world that has a name."""
    for name, _, _ in worlds():
        identity = f"vic/{name}-v0"
        if identity not in gymnasium.registry:
            gymnasium.register(identity, entry_point="vic.envs:make", kwargs={"world": name})
