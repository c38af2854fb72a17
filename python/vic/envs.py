"""vic's worlds as environments of Gymnasium, and options as actions.

Importing vic registers "vic/NAME-v0" for every world with a table where Gymnasium is installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from ._errors import UsageError
from ._runs import Run
from ._worlds import World, as_world, worlds


class WorldEnv(gymnasium.Env):
    """A world with a table. Observations are states; actions are its moves, and termination last.

    A world whose options may not terminate before their time has the moves alone.

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
            raise UsageError(f"{self.world.name} is simulated; this needs a world with a table.")
        self.moves = self.world.T_max - 1 if moves is None else moves
        self.render_mode = render_mode
        core = self.world._core
        self._first, self._next, self._p = core.first, core.next, core.p
        self._absorbing = self.world.absorbing
        self._enter, self._step_reward = self.world.enter_reward, self.world.step_reward
        self.observation_space = gymnasium.spaces.Discrete(self.world.S)
        self.action_space = gymnasium.spaces.Discrete(self.world.A + self.world.may_stop)
        self.state, self.taken = self.world.start, 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        start = (options or {}).get("start", self.world.start)
        self.state, self.taken = self.world.state_names.index(self.world._state(start)), 0
        return self.state, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        if not self.action_space.contains(action):
            raise UsageError(f"There is no action {action!r}; there are {self.action_space.n}.")
        if action == self.world.A or self._absorbing[self.state]:
            return self.state, 0.0, True, False, {}
        pair = self.state * self.world.A + int(action)
        begin, end = self._first[pair], self._first[pair + 1]
        # what rounding leaves of 1 goes to the last outcome
        place = np.searchsorted(np.cumsum(self._p[begin:end]), self.np_random.random(), "right")
        after = int(self._next[min(begin + place, end - 1)])
        reward = self._step_reward + (self._enter[after] if after != self.state else 0.0)
        self.state, self.taken = after, self.taken + 1
        terminated = bool(self._absorbing[after])
        return after, float(reward), terminated, not terminated and self.taken >= self.moves, {}

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        lines = [list(line) for line in self.world.picture]
        if lines:
            row, column = self.world._core.picture_cells[self.state]
            lines[row][column] = "@"
        return "\n".join("".join(line) for line in lines) or self.world.state_names[self.state]


class OptionsEnv(gymnasium.Wrapper):
    """Options as actions: action i executes an option of the run that is sent to goals[i].

    The environment has the states and moves of the run's world as observations and actions: that of
    WorldEnv, or a table that vic.from_gymnasium has read. The option takes moves until its policy
    terminates it, until it has as many as options have, or until the episode ends; rewards are
    summed, and info["moves"] counts them. The run must have been trained from all starts
    (starts="all") unless every option begins at the start. Goals are all states in which the run's
    options can end by default.
    """

    def __init__(
        self,
        env: gymnasium.Env,
        run: Run,
        goals: Sequence[int | str] | None = None,
        *,
        temperature: float = 1.0,
    ) -> None:
        super().__init__(env)
        self.run, self.temperature = run, temperature
        world = run.world
        names = world.state_names
        moves = (world.A, world.A + 1)
        spaces = (env.observation_space, env.action_space)
        if spaces[0] != gymnasium.spaces.Discrete(world.S) or spaces[1].n not in moves:
            raise UsageError(
                f"{env} has the spaces {spaces[0]} and {spaces[1]}; options of {run.folder} need "
                f"{world.S} states and {world.A} moves."
            )
        listed = world.final_states if goals is None else goals
        self.goals = [names.index(world._state(goal)) for goal in listed]
        self._conditions = [run._core.condition(names[goal]) for goal in self.goals]
        self._T_max, self._stop = world.T_max, world.A
        self.action_space = gymnasium.spaces.Discrete(len(self.goals))
        self._state: int | None = None

    def reset(self, **arguments: Any) -> tuple[int, dict[str, Any]]:
        self._state, info = self.env.reset(**arguments)
        return self._state, info

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        if self._state is None:
            raise UsageError("reset comes before the first step.")
        states, actions, total = [int(self._state)], [], 0.0
        terminated = truncated = False
        info: dict[str, Any] = {}
        random = self.env.unwrapped.np_random
        while len(actions) + 1 < self._T_max and not (terminated or truncated):
            p = self.run._core.policy(states, actions, self._conditions[action], self.temperature)
            chosen = min(int(np.searchsorted(np.cumsum(p), random.random(), "right")), self._stop)
            if chosen == self._stop:
                break
            after, reward, terminated, truncated, info = self.env.step(chosen)
            total += float(reward)
            states.append(int(after))
            actions.append(chosen)
        self._state = states[-1]
        return self._state, total, terminated, truncated, {**info, "moves": len(actions)}


def register() -> None:
    """Registers vic/NAME-v0 for every world with a table."""
    for name, _, _ in worlds():
        identity = f"vic/{name}-v0"
        if identity in gymnasium.registry or not as_world(name).is_table:
            continue
        gymnasium.register(identity, entry_point="vic.envs:WorldEnv", kwargs={"world": name})
