"""Environments written in Python as simulated worlds: batches of them that step together."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import Error, UsageError

# functions that make an environment, by its name in a run
makers: dict[str, Callable[[], Any]] = {}


def gymnasium() -> Any:
    """The package, imported only when it is needed."""
    try:
        return importlib.import_module("gymnasium")
    except ImportError:
        raise UsageError("This needs Gymnasium: pip install gymnasium.") from None


def require_spaces(env: Any) -> None:
    """Raises if a space is of a kind that no world has."""
    spaces = gymnasium().spaces
    action, observation = env.action_space, env.observation_space
    if not isinstance(action, (spaces.Discrete, spaces.MultiDiscrete, spaces.Box)):
        raise UsageError(f"Actions must be Discrete, MultiDiscrete or Box, not {action}.")
    if isinstance(action, spaces.Box) and not action.is_bounded():
        raise UsageError(f"Actions that are numbers must have bounds, unlike {action}.")
    if not isinstance(observation, (spaces.Discrete, spaces.Box)):
        raise UsageError(f"Observations must be Discrete or Box, not {observation}.")


def cells_text(cells: Mapping[int, float | tuple[float, int]] | None, env: Any) -> str:
    """The setting world.cells: "0:0.5:20 3:1:100"."""
    space = env.observation_space
    if cells is None:
        if not isinstance(space, gymnasium().spaces.Discrete):
            n = int(np.prod(space.shape))
            raise UsageError(
                f"Name the numbers of the observation, 0 to {n - 1}, that cells are made of, and "
                "their widths, as in cells={0: 0.5}."
            )
        return f"0:1:{space.n}"
    if not isinstance(cells, Mapping) or not cells:
        raise UsageError("cells maps numbers of the observation to widths, as in {0: 0.5}.")
    parts = []
    for number, axis in cells.items():
        width, limit = axis if isinstance(axis, tuple) else (axis, 100)
        parts.append(f"{number}:{float(width)!r}:{limit}")
    return " ".join(parts)


def _parsed_cells(text: str, n: int) -> list[tuple[int, float, int]]:
    axes = []
    for part in text.split():
        try:
            number, width, limit = part.split(":")
            axes.append((int(number), float(width), int(limit)))
        except ValueError:
            raise UsageError(f'world.cells has "{part}"; it must be number:width:limit.') from None
        if not 0 <= axes[-1][0] < n:
            raise UsageError(f"There is no number {number} in an observation of {n} numbers.")
        if not 0 < axes[-1][1] < np.inf or not 1 <= axes[-1][2] <= 10**6:
            raise UsageError(f"{part}: cells have a positive width, and 1 to 1000000 either way.")
    if len({number for number, _, _ in axes}) != len(axes) or not axes:
        raise UsageError(
            f'world.cells is "{text}"; it needs numbers of the observation, each once.'
        )
    return axes


class EnvironmentSource:
    """Environments of one kind: their specification, and as many of them as a batch needs."""

    def __init__(self, name: str, T: int, levels: int, cells: str, seed: int) -> None:
        self.name, self.T, self.seed = name, T, seed
        self.make = makers.get(name) or self._by_name
        self.pool: list[Any] = []
        env = self.take(1)[0]
        require_spaces(env)
        self.action_space, self.observation_space = env.action_space, env.observation_space
        spaces = gymnasium().spaces
        self.discrete = isinstance(self.observation_space, spaces.Discrete)
        self.shape = () if self.discrete else self.observation_space.shape
        self.n = int(np.prod(self.shape))
        self.axes = _parsed_cells(cells, self.n)
        self.actuators = _actuators(self.action_space, levels)
        self.factors = np.arange(len(self.actuators))
        self.controls = np.array([controls for _, controls in self.actuators]).astype(
            self.action_space.dtype
        )
        batch = EnvironmentBatch(self, [env])
        self.start = batch.reset(np.array([max(seed, 0)]))[0].copy()

    def _by_name(self) -> Any:
        package = gymnasium()
        try:
            return package.make(self.name, disable_env_checker=True)
        except package.error.Error as error:
            raise UsageError(
                f"Gymnasium cannot make {self.name}: {error} Call vic.from_gymnasium with the "
                "environment first."
            ) from None

    def take(self, count: int) -> list[Any]:
        """Environments from the pool, and new ones if it has too few."""
        taken = [self.pool.pop() for _ in range(min(count, len(self.pool)))]
        while len(taken) < count:
            try:
                taken.append(self.make())
            except Error:
                raise
            except Exception as error:
                raise _failure(self.name, "being made", error) from error
        return taken

    def specification(self) -> dict[str, Any]:
        """The specification of the simulated world."""
        return {
            "name": self.name,
            "state_names": [f"x{i}" for i in range(self.n)],
            "start": self.start.tolist(),
            "actuators": self.actuators,
            "T": self.T,
            "deterministic": self.seed >= 0,
            "cells": self.axes,
        }

    def batch(self, B: int) -> EnvironmentBatch:
        """B environments that step together."""
        return EnvironmentBatch(self, self.take(B))


class EnvironmentBatch:
    """B environments that step together; each stays where it is once it has ended."""

    def __init__(self, source: EnvironmentSource, envs: list[Any]) -> None:
        self.source, self.envs = source, envs
        self.steps = [env.step for env in envs]
        self.observations = np.zeros((len(envs), *source.shape))
        self.states = self.observations.reshape(len(envs), -1)
        self.ended = [False] * len(envs)
        self.taken = 0

    def __del__(self) -> None:
        self.source.pool.extend(self.envs)

    def reset(self, seeds: NDArray[np.int64]) -> NDArray[np.float64]:
        """The first observations, (B, n); an array that the next call changes."""
        source = self.source
        self.taken = 0
        self.ended = [False] * len(self.envs)
        for b, env in enumerate(self.envs):
            seed = source.seed if source.seed >= 0 else int(seeds[b])
            try:
                observation, _ = env.reset(seed=seed)
            except Exception as error:
                raise _failure(source.name, f"reset(seed={seed})", error) from error
            if env.action_space != source.action_space or (
                env.observation_space != source.observation_space
            ):
                raise Error(
                    f"{source.name} has changed its spaces, to {env.action_space} and "
                    f"{env.observation_space}; options need those that it began with."
                )
            self._observe(b, observation)
        return self._checked()

    def step(self, levels: NDArray[np.int32]) -> NDArray[np.float64]:
        """The observations after one action each, (B, F) levels; likewise."""
        self.taken += 1
        actions = self._actions(levels)
        ended, shape, observations = self.ended, self.source.shape, self.observations
        for b, (step, action) in enumerate(zip(self.steps, actions)):
            if ended[b]:
                continue
            try:
                observation, _, terminated, truncated, _ = step(action)
                if getattr(observation, "shape", None) == shape:
                    observations[b] = observation
                else:
                    self._observe(b, observation)
                if terminated or truncated:
                    ended[b] = True
            except Error:
                raise
            except Exception as error:
                where = f"step({action!r}), action {self.taken} of an option,"
                raise _failure(self.source.name, where, error) from error
        return self._checked()

    def _observe(self, b: int, observation: Any) -> None:
        try:
            array = np.asarray(observation, dtype=float)
        except (TypeError, ValueError) as error:
            raise _failure(self.source.name, "an observation", error) from error
        if array.shape != self.source.shape:
            raise Error(
                f"{self.source.name} returned an observation of the shape {array.shape} after "
                f"action {self.taken}; its space has {self.source.shape}."
            )
        self.observations[b] = array

    def _checked(self) -> NDArray[np.float64]:
        if not np.isfinite(self.states).all():
            b, j = (int(i) for i in np.argwhere(~np.isfinite(self.states))[0])
            raise Error(
                f"{self.source.name} returned {self.states[b, j]} as number {j} of an observation "
                f"after action {self.taken}; states are finite numbers."
            )
        return self.states

    def _actions(self, levels: NDArray[np.int32]) -> Any:
        # the actuators' control for each level; a single number if the action is one
        space, controls = self.source.action_space, self.source.controls
        if space.shape == ():
            return controls[0, levels[:, 0]].tolist()
        return controls[self.source.factors, levels].reshape(len(levels), *space.shape)


def _actuators(space: Any, levels: int) -> list[tuple[str, list[float]]]:
    """Names, and the controls that the levels set: as many for each."""
    spaces = gymnasium().spaces
    if isinstance(space, spaces.Discrete):
        return [("action", [float(space.start + i) for i in range(int(space.n))])]
    if isinstance(space, spaces.MultiDiscrete):
        # a factor with fewer levels than the others has some of them twice
        most = int(space.nvec.max())
        sizes = enumerate(space.nvec.ravel())
        return [(f"a{i}", [float(k % size) for k in range(most)]) for i, size in sizes]
    low, high = space.low.ravel().astype(float), space.high.ravel().astype(float)
    return [(f"a{i}", np.linspace(low[i], high[i], levels).tolist()) for i in range(len(low))]


def _failure(name: str, where: str, error: BaseException) -> Error:
    return Error(f"{name} raised {type(error).__name__} in {where}: {error}")


_core.set_environments(EnvironmentSource)
