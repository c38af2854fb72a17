"""A plain agent: tabular Q-learning over states, with moves and options as actions.

It is SMDP Q-learning: an option is one action, whose value is updated when it has ended; each of
its moves also updates the value of that move. Exploration is epsilon-greedy, ties are broken at
random, and nothing is known of the task.
"""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

import vic

EPSILON, DISCOUNT = 0.1, 0.99


def in_reach(world: vic.World) -> NDArray[np.bool_]:
    """(S, S) whether an option can lead from one state to another at all."""
    step = (world.P.sum(axis=1) > 0).astype(np.float32)
    reached = np.eye(world.S, dtype=np.float32)
    for _ in range(world.T_max - 1):
        reached = np.minimum(reached + reached @ step, 1)
    return reached > 0


def q_learning(
    env: vic.envs.OptionsEnv, steps: int, rate: float, initial: float, seed: int
) -> tuple[list[int], list[float]]:
    """Learns for so many environment steps: where episodes ended, and what they returned."""
    random = Random(seed)
    never = float("-inf")
    actions, primitives = len(env.options) + env.primitives, env.primitives
    q_table = np.full((env.options.world.S, actions), initial)
    if env.goals:
        # an option begins where its goal is in reach, and elsewhere
        near = in_reach(env.options.world)[:, env.goals]
        near[env.goals, range(len(env.goals))] = False
        q_table[:, primitives:][~near] = never
    q: list[list[float]] = q_table.tolist()
    ends: list[int] = []
    returns: list[float] = []
    state, _ = env.reset(seed=seed)
    done, total, discount = 0, 0.0, 1.0
    while done < steps:
        row = q[state]
        if random.random() < EPSILON:
            choices = [i for i, value in enumerate(row) if value > never]
        else:
            best = max(row)
            choices = [i for i, value in enumerate(row) if value == best]
        action = random.choice(choices)
        after, _, terminated, truncated, way = env.step(action)
        if way["moves"] == 0:
            # an option that has nothing to do here is not tried here again
            row[action] = never
            continue
        done += way["moves"]
        for paid in way["rewards"]:
            total, discount = total + discount * paid, discount * DISCOUNT
        # from the last move to the first, so that what was found is known on the way
        earned = value = 0.0 if terminated else max(q[after])
        for t in range(way["moves"] - 1, -1, -1):
            paid, move, before = way["rewards"][t], way["actions"][t], q[way["states"][t]]
            earned = paid + DISCOUNT * earned
            before[move] += rate * (paid + DISCOUNT * value - before[move])
            value = max(before)
        if action >= primitives:
            row[action] += rate * (earned - row[action])
        state = after
        if terminated or truncated:
            ends.append(done)
            returns.append(total)
            state, _ = env.reset()
            total, discount = 0.0, 1.0
    return ends, returns
