"""Gymnasium's environments as worlds: tables of the toy-text family, all others simulated."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._environments import cells_text, gymnasium, makers, require_spaces
from ._errors import UsageError
from ._tables import TabularWorld
from ._worlds import World


def from_gymnasium(
    env: Any,
    *,
    T_max: int | None = None,
    start: int | None = None,
    T: int = 100,
    cells: Mapping[int, float | tuple[float, int]] | None = None,
    levels: int = 5,
    seed: int | None = None,
    name: str | None = None,
) -> World:
    """The world of an environment: an object of Gymnasium, a name that it makes, or a function.

    An environment with a table `P` (FrozenLake, CliffWalking, Taxi) and without `cells` becomes a
    table: transitions that terminate lead to absorbing states, and rewards are left out. An option
    has at most T_max actions, by default one more than the environment's time limit; `start` is
    by default the likeliest initial state.

    Every other environment becomes a simulator with options of T actions. Its actions are Discrete,
    MultiDiscrete or Box, cut into `levels` evenly spaced numbers each; its observations Discrete or
    Box. `cells` maps numbers of the observation to the width of their cells, {0: 0.5}, or to the
    width and the number of cells either way, {0: (0.5, 20)}; s_f is the cell in which an option
    ends, measured from the first observation. Once terminated or truncated, an environment stays
    where it is. With a `seed` every reset takes it, and the world is deterministic; without, each
    option begins with a seed of its own.

    A run remembers the environment by its name: to load one whose environment Gymnasium cannot make
    by that name, call this function first.
    """
    made = _made(env)
    require_spaces(made)
    if cells is None and hasattr(made.unwrapped, "P"):
        return _table(made, T_max, start, name)
    label = name or (made.spec.id if made.spec is not None else type(made.unwrapped).__name__)
    makers[label] = _maker(env, made)
    settings = {"T": T, "levels": levels, "cells": cells_text(cells, made)}
    if seed is not None:
        settings["seed"] = seed
    pairs = [(f"world.{key}", str(value)) for key, value in settings.items()]
    return World(_core.World(f"gymnasium:{label}", pairs, ""))


def _made(env: Any) -> Any:
    if isinstance(env, str):
        return gymnasium().make(env)
    if callable(getattr(env, "step", None)) and callable(getattr(env, "reset", None)):
        return env
    if callable(env):
        return env()
    raise UsageError(f"{env!r} is no environment, name of one or function that makes one.")


def _maker(given: Any, made: Any) -> Callable[[], Any]:
    if made.spec is not None:
        spec = made.spec
        return lambda: gymnasium().make(spec, disable_env_checker=True)
    if given is not made and not isinstance(given, str):
        return lambda: given()
    return lambda: copy.deepcopy(made)


# ---- tables


def _table(env: Any, T_max: int | None, start: int | None, name: str | None) -> TabularWorld:
    spaces = gymnasium().spaces
    table, raw = env.unwrapped.P, env.unwrapped
    if not isinstance(env.observation_space, spaces.Discrete) or not isinstance(
        env.action_space, spaces.Discrete
    ):
        raise UsageError("An environment with a table has Discrete observations and actions.")
    S, A = int(env.observation_space.n), int(env.action_space.n)
    label = name or (env.spec.id if env.spec is not None else type(raw).__name__)
    limit = env.spec.max_episode_steps if env.spec is not None else None
    if T_max is None:
        if limit is None:
            raise UsageError(f"{label} has no time limit; say how long options are with T_max=.")
        T_max = limit + 1
    P, ends, names = _transitions(table, S, A, label)
    first = getattr(raw, "initial_state_distrib", None)
    if start is None:
        start = 0 if first is None else int(np.argmax(first))
    return TabularWorld(
        P,
        start,
        T_max,
        name=label.replace("/", "-"),
        states=names,
        absorbing=ends,
        coordinates=_grid(raw, S, len(names)),
    )


def _transitions(
    table: Any, S: int, A: int, label: str
) -> tuple[NDArray[np.float64], NDArray[np.bool_], list[str]]:
    """P, the absorbing states, and names. A state entered with and without an end becomes two."""
    try:
        rows = [
            (s, a, int(to), float(p), bool(ended))
            for s in range(S)
            for a in range(A)
            for p, to, _, ended in table[s][a]
        ]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise UsageError(
            f"P of {label} is not P[state][action] = [(p, next, reward, terminated), ...]: "
            f"{type(error).__name__} {error}."
        ) from None
    for s, a, to, _, _ in rows:
        if not 0 <= to < S:
            raise UsageError(f"P[{s}][{a}] of {label} leads to {to}; there are {S} states.")
    # an end is an end from wherever it is entered; self-loops of ends are part of the ends
    ended = {to for s, _, to, _, end in rows if end}
    passed = {to for s, _, to, _, end in rows if not end and s != to}
    both = sorted(ended & passed)
    copy_of = {s: S + i for i, s in enumerate(both)}
    names = [str(s) for s in range(S)] + [f"{s} end" for s in both]
    P = np.zeros((len(names), A, len(names)))
    for s, a, to, p, end in rows:
        P[s, a, copy_of.get(to, to) if end else to] += p
    ends = np.zeros(len(names), dtype=bool)
    ends[[copy_of.get(s, s) for s in ended]] = True
    return P, ends, names


def _grid(raw: Any, S: int, rows: int) -> NDArray[np.float64] | None:
    """Coordinates x, y of environments that are grids, in reading order."""
    shape = getattr(raw, "shape", None) or (getattr(raw, "nrow", 0), getattr(raw, "ncol", 0))
    if rows != S or len(shape) != 2 or shape[0] * shape[1] != S:
        return None
    y, x = np.divmod(np.arange(S), shape[1])
    coordinates: NDArray[np.float64] = np.stack([x, y], axis=1).astype(float)
    return coordinates
