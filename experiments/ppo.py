"""The tasks of downstream.py with PPO of stable-baselines3 in place of tabular Q-learning.

    python experiments/ppo.py runs/ppo     # seeds 11 to 15, then verdicts

Needs PyTorch and stable-baselines3; docs/results/downstream.md says how they are installed beside
Debian's torch. PPO differs from the tabular agent in three things. Its discount is per decision,
where that of Q-learning is per move; returns are measured per move for both. It learns from what it
decided alone, not from the moves of its options. An option that has nothing to do where it is
chosen cannot be ruled out, so a random move stands in for it. Nothing was tuned: settings are those
of the library but for what is named below, the same for all kinds of actions.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from downstream import (
    BIN,
    TASKS,
    Claim,
    Plan,
    Results,
    Task,
    last_return,
    mean_return,
    options_of,
    verdicts,
)
from q_learning import DISCOUNT
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import DummyVecEnv

import vic

STEPS = 50_000  # environment steps of the task
ENVS, N_STEPS, BATCH, EPOCHS = 8, 128, 256, 4  # decisions of each environment per update
BONUS = 0.01  # of the policy's entropy


class Record:
    """What an agent has taken and earned."""

    def __init__(self) -> None:
        self.moves, self.ends, self.returns = 0, list[int](), list[float]()

    def curve(self, steps: int) -> list[float]:
        """The mean return in each bin; bins in which no episode ends repeat the one before."""
        place, bins, curve = np.array(self.ends, dtype=int) // BIN, steps // BIN, [0.0]
        for number in range(bins):
            inside = np.array(self.returns)[place == number]
            curve.append(float(inside.mean()) if len(inside) else curve[-1])
        return curve[1:]


class Decisions(gymnasium.Wrapper[int, int, int, int]):
    """Counts moves over all environments of an agent, and ends episodes in its records."""

    def __init__(self, env: vic.envs.OptionsEnv, record: Record) -> None:
        super().__init__(env)
        self.options, self.record, self.total, self.discount = env, record, 0.0, 1.0

    def reset(self, **arguments: Any) -> tuple[int, dict[str, Any]]:
        self.total, self.discount = 0.0, 1.0
        return self.env.reset(**arguments)

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        after, reward, terminated, truncated, way = self.options.step(int(action))
        if way["moves"] == 0:
            move = int(self.unwrapped.np_random.integers(self.options.primitives))
            after, reward, terminated, truncated, way = self.options.step(move)
        self.record.moves += way["moves"]
        for paid in way["rewards"]:
            self.total, self.discount = self.total + self.discount * paid, self.discount * DISCOUNT
        if terminated or truncated:
            self.record.ends.append(self.record.moves)
            self.record.returns.append(self.total)
        return after, float(reward), terminated, truncated, {}


def learn(task: Task, kind: str, count: int, seed: int, plan: Plan) -> dict[str, Any]:
    """One agent, as learn() of downstream.py has it."""
    options, before = options_of(task, kind, count, seed, plan)
    record = Record()

    def environment() -> Decisions:
        world = vic.envs.WorldEnv(task.paying, moves=task.moves)
        return Decisions(vic.envs.OptionsEnv(world, options, primitives=True), record)

    torch.set_num_threads(1)
    agent = PPO(
        "MlpPolicy",
        DummyVecEnv([environment] * ENVS),
        n_steps=N_STEPS,
        batch_size=BATCH,
        n_epochs=EPOCHS,
        ent_coef=BONUS,
        gamma=DISCOUNT,
        seed=seed,
        device="cpu",
    )

    def more(_locals: Any, _globals: Any) -> bool:
        return record.moves < plan.steps

    agent.learn(plan.steps, callback=more)  # at least a move per decision
    return {"seed": seed, "before": before, "curve": record.curve(plan.steps)}


# ---- what is run

# the number of options, that of downstream.py; of 580 goals a net decides among 64
COUNTS = {
    "rooms-35": {"primitive": 0, "eigenoptions": 64, "implicit": 16, "explicit": 16},
    "four-rooms": {"primitive": 0, "eigenoptions": 16, "implicit": 64, "explicit": 16},
}


# written before seeds 11 to 15 were run
CLAIMS = [
    Claim(text, (task,), versus, measure, at_least=0)
    for task in TASKS
    for text, versus, measure in (
        (
            "PPO earns more with options found without reward than with moves alone",
            "primitive",
            "mean return",
        ),
        ("and ends higher", "primitive", "last return"),
        ("It earns more with them than with explicit skills", "explicit", "mean return"),
        ("and more than with eigenoptions", "eigenoptions", "mean return"),
    )
]


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="of runs, curves and verdict.json")
    parser.add_argument("--quick", action="store_true", help="one seed and a few steps")
    given = parser.parse_args()
    plan = Plan(given.folder, (11, 12, 13, 14, 15), STEPS)
    if given.quick:
        plan = Plan(given.folder, (1,), 2 * BIN, training={"updates": 8, "warm_up": 2})
    plan.folder.mkdir(parents=True, exist_ok=True)
    results: Results = {}
    for name, make in TASKS.items():
        agents = results.setdefault(name, {})
        for kind, count in COUNTS[name].items():
            agents[kind] = [learn(make(), kind, count, seed, plan) for seed in plan.seeds]
            means = " ".join(f"{mean_return(one, plan):.3f}" for one in agents[kind])
            lasts = " ".join(f"{last_return(one):.3f}" for one in agents[kind])
            print(f"{name}, {kind}: mean {means}; at the end {lasts}", flush=True)
    decided = verdicts("Downstream use: PPO with options", CLAIMS, results, plan)
    (plan.folder / "verdict.json").write_text(json.dumps(decided, indent=2) + "\n")


if __name__ == "__main__":
    main()
