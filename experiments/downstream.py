"""Options that were found without any reward, used afterwards: return against environment steps.

    ./vic python experiments/downstream.py runs/downstream           # seeds 11 to 15, then verdicts
    ./vic python experiments/downstream.py runs/tuning --tune        # seeds 1 and 2
    ./vic python experiments/downstream.py runs/quick --quick        # shows that all parts work

Two tasks, one plain agent (q_learning.py), with the world's moves and, besides them, options of a
kind. Every kind has the same exploration, discount and number of environment steps; its learning
rate and its number of options were chosen on seeds 1 and 2. docs/results/downstream.md has what
came of it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from downstream_figure import draw
from q_learning import q_learning

import vic

BIN = 2_000  # environment steps of a point of a curve
RATES, COUNTS = (0.1, 0.3, 1.0), (16, 64, 1_000)  # of goals there are fewer than 1,000: all


@dataclass
class Plan:
    """How much is run."""

    folder: Path
    seeds: tuple[int, ...]
    steps: int = 100_000  # of the task
    longer: int = 1_100_000  # of agents with moves alone: as many as options and task together
    training: dict[str, Any] = field(default_factory=dict)


# ---- tasks


@dataclass
class Task:
    """A world in which options are found, and one with its states and moves that pays."""

    explored: vic.World
    paying: vic.World
    moves: int  # of an episode


def rooms_35() -> Task:
    """The paper's rooms: -0.1 per move, 1 for a room, 100 for the special one, in 24 moves."""
    return Task(vic.world("rooms-35", T_max=13), vic.world("rooms-35", termination="never"), 24)


def four_rooms() -> Task:
    """From 4,4 to the farthest corner, 40 moves away through two doors, in 1,000 moves: 1 there."""
    explored = vic.world("four-rooms", T_max=13)
    goal = np.array(explored.state_names) == "24,24"
    paying = vic.TabularWorld(
        explored.P,
        explored.start,
        absorbing=goal,
        reward=goal.astype(float),
        termination="never",
    )
    return Task(explored, paying, 1000)


TASKS: dict[str, Callable[[], Task]] = {"rooms-35": rooms_35, "four-rooms": four_rooms}

# ---- kinds of options

MOVES_ALONE = ("primitive", "optimistic")  # values begin at 0, or at the largest reward
COMMON = {"starts": "all", "updates": 1000, "warm_up": 200, "encoding": "relative"}
TRAINED: dict[str, dict[str, Any]] = {
    "implicit": {"learning_rate": 5e-3, "policy_rate": 1e-3},
    "explicit": {
        "learning_rate": 5e-3,
        "policy_rate": 3e-3,
        "entropy_bonus": 0.3,
        "entropy_end": 700,
    },
}
KINDS = (*MOVES_ALONE, "eigenoptions", *TRAINED)


def trained(task: Task, kind: str, count: int, seed: int, plan: Plan) -> tuple[vic.Options, float]:
    """Options of a run, and the environment steps that it took to find them."""
    skills = {"skills": count} if kind == "explicit" else {}
    words = [task.explored.name, kind, *map(str, skills.values()), str(seed)]
    out = plan.folder / "-".join(words)
    if (out / "evaluation.json").exists():
        run = vic.load(out)
    else:
        unmeasured = {"eval.bound_updates": 0, "eval.reach": 0, "eval.options": 2000}
        chosen = {**COMMON, **TRAINED[kind], **skills, **plan.training}
        run = vic.train(task.explored, kind, seed=seed, out=out, settings=unmeasured, **chosen)
    moves = float((run.metrics["length"] - 1).mean())
    steps = moves * run.settings["train"]["batch"] * run.updates
    # goals are drawn from where the next option can begin, without a look at the task; an agent
    # with skills has these
    places = np.flatnonzero(~task.explored.absorbing).tolist()
    goals = None if skills else Random(seed).sample(places, min(count, len(places)))
    return run.options(goals, temperature=0.0), steps


def options_of(
    task: Task, kind: str, count: int, seed: int, plan: Plan
) -> tuple[vic.Options, float]:
    """The options of a kind, and the environment steps that were needed for them."""
    if kind in TRAINED:
        return trained(task, kind, count, seed, plan)
    if kind == "eigenoptions":
        return vic.eigenoptions(task.explored, count), 0.0
    none = np.zeros((0, task.explored.T_max - 1, task.explored.S), dtype=np.int32)
    return vic.TableOptions(task.explored, none), 0.0


def learn(
    task: Task, kind: str, rate: float, count: int, seed: int, plan: Plan, steps: int
) -> dict[str, Any]:
    """One agent: the environment steps before it began, and the mean return in each bin."""
    options, before = options_of(task, kind, count, seed, plan)
    env = vic.envs.OptionsEnv(
        vic.envs.WorldEnv(task.paying, moves=task.moves), options, primitives=True
    )
    initial = float(task.paying.enter_reward.max()) if kind == "optimistic" else 0.0
    ends, returns = q_learning(env, steps, rate, initial, seed)
    place, bins = np.array(ends) // BIN, steps // BIN
    counts = np.bincount(place, minlength=bins)[:bins]
    sums = np.bincount(place, weights=returns, minlength=bins)[:bins]
    return {"seed": seed, "before": before, "curve": (sums / np.maximum(counts, 1)).tolist()}


# ---- what is run


def tune(plan: Plan) -> None:
    """The mean return of each kind with each rate and number of options."""
    for name, make in TASKS.items():
        task = make()
        for kind in KINDS:
            for count in (0,) if kind in MOVES_ALONE else COUNTS[: 3 if kind == "implicit" else 2]:
                for rate in RATES:
                    curves = [
                        learn(task, kind, rate, count, seed, plan, plan.steps)["curve"]
                        for seed in plan.seeds
                    ]
                    means = " ".join(f"{np.mean(curve):.3f}" for curve in curves)
                    print(f"{name}, {kind}, {count} options, rate {rate}: {means}", flush=True)


# the learning rate and the number of options
CHOSEN = {
    "rooms-35": {
        "primitive": (0.3, 0),
        "optimistic": (0.3, 0),
        "eigenoptions": (0.1, 64),
        "implicit": (0.3, 16),
        "explicit": (0.3, 16),
    },
    "four-rooms": {
        "primitive": (1.0, 0),
        "optimistic": (1.0, 0),
        "eigenoptions": (1.0, 16),
        "implicit": (1.0, 1_000),
        "explicit": (1.0, 16),
    },
}


Results = dict[str, dict[str, list[dict[str, Any]]]]


def measure(plan: Plan, only: str) -> Results:
    """All agents by task and kind, or those whose names begin with `only`. What is done is kept in
    a file, and not done again."""
    results: Results = {}
    for name, make in TASKS.items():
        task = make()
        for kind, (rate, count) in CHOSEN[name].items():
            for seed in plan.seeds:
                agent = f"{name}-{kind}-{seed}"
                if not agent.startswith(only):
                    continue
                path = plan.folder / f"{agent}.json"
                if not path.exists():
                    steps = plan.longer if runs_longer(name, kind) else plan.steps
                    path.write_text(json.dumps(learn(task, kind, rate, count, seed, plan, steps)))
                one = json.loads(path.read_text())
                results.setdefault(name, {}).setdefault(kind, []).append(one)
                print(f"{agent}: mean {mean_return(one, plan):.3f}, last {last_return(one):.3f}")
    return results


def runs_longer(name: str, kind: str) -> bool:
    """Whether a claim gives moves alone the steps of the training too."""
    return kind in MOVES_ALONE and any(
        claim.measure == "last return" and claim.versus == kind and name in claim.tasks
        for claim in CLAIMS
    )


def mean_return(result: dict[str, Any], plan: Plan) -> float:
    """Over the steps of the task."""
    return float(np.mean(result["curve"][: plan.steps // BIN]))


def last_return(result: dict[str, Any]) -> float:
    """Of the last tenth of the steps that agents with options have."""
    return float(np.mean(result["curve"][-5:]))


# ---- claims: written before seeds 11 to 15 were run


@dataclass
class Claim:
    """What is said of implicit VIC's options beside another kind; of the last return, agents with
    moves alone have had the steps of training and task together."""

    text: str
    tasks: tuple[str, ...]
    versus: str
    measure: str = "mean return"
    at_least: float | None = None
    at_most: float | None = None


CLAIMS = [
    Claim(
        "Options that were found without reward earn more than moves alone",
        ("rooms-35", "four-rooms"),
        "primitive",
        at_least=0,
    ),
    Claim(
        "and more than moves alone with optimistic values",
        ("rooms-35", "four-rooms"),
        "optimistic",
        at_least=0,
    ),
    Claim("They earn more than explicit skills", ("rooms-35",), "explicit", at_least=0),
    Claim(
        "and end higher than these",
        ("rooms-35", "four-rooms"),
        "explicit",
        "last return",
        at_least=0,
    ),
    Claim("They earn more than eigenoptions among rooms", ("rooms-35",), "eigenoptions", at_least=0),
    Claim(
        "but less on the way to a corner, where eigenoptions lead",
        ("four-rooms",),
        "eigenoptions",
        at_most=0,
    ),
    Claim(
        "Moves alone do not find the special room with the steps of the training besides",
        ("rooms-35",),
        "primitive",
        "last return",
        at_least=0,
    ),
    Claim(
        "With these steps and optimistic values they end higher: one task does not pay for training",
        ("rooms-35", "four-rooms"),
        "optimistic",
        "last return",
        at_most=0,
    ),
]


def verdicts(title: str, claims: list[Claim], results: Results, plan: Plan) -> dict[str, Any]:
    """The claims, decided seed by seed."""
    listed = []
    for claim in claims:
        for name in claim.tasks:
            own, other = results[name]["implicit"], results[name][claim.versus]
            if claim.measure == "mean return":
                pairs = [(mean_return(a, plan), mean_return(b, plan)) for a, b in zip(own, other)]
            else:
                pairs = [(last_return(a), last_return(b)) for a, b in zip(own, other)]
            verdict = vic.verdict(
                {one["seed"]: a - b for one, (a, b) in zip(own, pairs)},
                text=claim.text,
                measure=claim.measure,
                group=name,
                algorithm="implicit",
                versus=claim.versus,
                at_least=claim.at_least,
                at_most=claim.at_most,
            )
            listed.append(verdict)
            print(f"{verdict['verdict']:9s} {claim.text}: {name}, {verdict['measured']}")
    return {"title": title, "claims": listed}


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="of runs, curves, figure and verdict.json")
    parser.add_argument("--tune", action="store_true", help="every choice, on seeds 1 and 2")
    parser.add_argument("--quick", action="store_true", help="one seed and a few steps")
    parser.add_argument("--only", default="", help="run agents whose names begin so, and stop")
    given = parser.parse_args()
    plan = Plan(given.folder, (11, 12, 13, 14, 15))
    if given.tune:
        plan = Plan(given.folder, (1, 2))
    elif given.quick:
        plan = Plan(given.folder, (1,), 4 * BIN, 6 * BIN, {"updates": 8, "warm_up": 2})
    plan.folder.mkdir(parents=True, exist_ok=True)
    if given.tune:
        return tune(plan)
    results = measure(plan, given.only)
    if given.only:
        return
    draw(results, plan.steps // BIN, BIN, plan.folder / "downstream.svg")
    decided = verdicts("Downstream use: Q-learning with options", CLAIMS, results, plan)
    (plan.folder / "verdict.json").write_text(json.dumps(decided, indent=2) + "\n")


if __name__ == "__main__":
    main()
