"""The cost of Python: training compared with the command line, environments with their bare steps.

    ./vic python bench/python.py training --rounds 4
    ./vic python bench/python.py Acrobot-v1 --cells 0:0.25 2:0.25
    ./vic python bench/python.py HalfCheetah-v5 --cells 0:0.5 1:0.5      # pip install mujoco imageio

Processor time, measured alternately, so that other work of the machine affects both.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import gymnasium

import vic

SETTINGS = {"updates": 3000, "warm_up": 1000}
FROM_PYTHON = """
import sys, vic
vic.train("line-noisy", "transition", out=sys.argv[1], progress=lambda *_: None, every=10,
          updates=int(sys.argv[2]), warm_up=int(sys.argv[3]))
"""


def children() -> float:
    """Processor seconds of the children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def training(rounds: int, program: str) -> None:
    """The same run by the program and from Python, with a callback every ten updates."""
    counts = [str(SETTINGS["updates"]), str(SETTINGS["warm_up"])]
    words = ["train", "line-noisy", "--algorithm", "transition", "--updates", counts[0]]
    words += ["--set", f"train.warm_up={counts[1]}", "--out"]
    theirs, ours = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            out = os.path.join(folder, str(number))
            for command, seconds in (
                ([program, *words, out], theirs),
                ([sys.executable, "-c", FROM_PYTHON, f"{out}-python", *counts], ours),
                ([sys.executable, "-c", "import vic"], []),
            ):
                before = children()
                subprocess.run(command, check=True, capture_output=True)
                seconds.append(children() - before)
                last = seconds[-1]
            # importing vic is not part of training
            ours[-1] -= last
            same = all(
                Path(out, name).read_bytes() == Path(f"{out}-python", name).read_bytes()
                for name in ("metrics.jsonl", "checkpoint.safetensors", "evaluation.json")
            )
            print(f"vic train {theirs[-1]:.2f} s, vic.train {ours[-1]:.2f} s, same bytes: {same}")
    print(f"medians: {statistics.median(ours) / statistics.median(theirs):.4f}")


def environment(name: str, cells: dict[int, float], rounds: int) -> None:
    """Steps of a training compared with bare steps of the unwrapped environment."""
    B, T, updates = 128, 50, 5
    world = vic.from_gymnasium(name, T=T, cells=cells)
    env = gymnasium.make(name).unwrapped
    env.action_space.seed(1)
    actions = [env.action_space.sample() for _ in range(1000)]
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            began = time.process_time()
            steps = 0
            while steps < B * T * updates:
                if steps % T == 0:
                    env.reset(seed=steps)
                env.step(actions[steps % 1000])
                steps += 1
            bare = (time.process_time() - began) / steps
            marks: list[float] = []
            vic.train(
                world,
                "marginal",
                batch=B,
                updates=updates + 1,
                warm_up=0,
                out=os.path.join(folder, str(number)),
                progress=lambda *_: marks.append(time.process_time()),
                every=1,
                settings={"run.survey_options": 100, "eval.options": 100},
            )
            # from the first update's end to the last one's
            trained = (marks[-1] - marks[0]) / (B * T * (len(marks) - 1))
            shares.append(bare / trained)
            print(f"bare {1e6 * bare:.1f} us, trained {1e6 * trained:.1f} us: {shares[-1]:.2%}")
    print(f"{name}: {statistics.median(shares):.1%} of the bare speed (median of {rounds})")


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", help='"training", or the name of an environment')
    parser.add_argument("--cells", nargs="*", default=["0:0.25"], help="numbers and widths")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--program", default=os.environ.get("VIC", "build/release/src/cli/vic"))
    given = parser.parse_args()
    if given.what == "training":
        return training(given.rounds, given.program)
    pairs = (text.split(":") for text in given.cells)
    environment(given.what, {int(i): float(width) for i, width in pairs}, given.rounds)


if __name__ == "__main__":
    main()
