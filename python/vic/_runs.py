"""Training, and trained runs."""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import UsageError
from ._settings import Pairs, pairs, structured, text_of, warn, whole
from ._worlds import World, as_world, source_pairs

Progress = Callable[[int, int, float], object]


class Run:
    """A trained agent in its world, and its folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)
        warnings: list[str] = []
        self._core = _core.load(self.folder, warnings.append)
        for sentence in warnings:
            warn(sentence)
        self._evaluation: dict[str, Any] | None = None

    @property
    def world(self) -> World:
        """The world that it was trained in."""
        return World(self._core.world)

    @property
    def settings(self) -> dict[str, Any]:
        """All settings by section: settings["train"]["lambda"]."""
        return tomllib.loads(Path(self.folder, "settings.toml").read_text())

    @property
    def algorithm(self) -> str:
        """Its name, as vic train takes it."""
        return dict(self._core.settings)["train.algorithm"]

    @property
    def seed(self) -> int:
        """The source of all randomness of the run."""
        return int(dict(self._core.settings)["train.seed"])

    @property
    def update(self) -> int:
        """Updates done so far, the warm-up included."""
        return self._core.update

    @property
    def updates(self) -> int:
        """Updates of the whole run."""
        return self._core.updates

    @property
    def finished(self) -> bool:
        """Whether all updates are done and evaluated."""
        return self.update >= self.updates and Path(self.folder, "evaluation.json").exists()

    @property
    def evaluation(self) -> dict[str, Any]:
        """The document of vic eval --json: that of the folder, or computed if it has none."""
        if self._evaluation is None:
            if self.finished:
                text = Path(self.folder, "evaluation.json").read_text()
            else:
                text = self._core.evaluate()
            self._evaluation = json.loads(text)
        return self._evaluation

    @property
    def H(self) -> float:
        """The coverage H(s_f), in nats."""
        return float(self.evaluation["H"])

    @property
    def D(self) -> float | None:
        """The control, in nats; None if it is not known. H = D + N."""
        return self.evaluation.get("D")

    @property
    def N(self) -> float | None:
        """Chance, in nats; None if it is not known."""
        return self.evaluation.get("N")

    @property
    def metrics(self) -> NDArray[np.void]:
        """A structured array with an element for each line of metrics.jsonl: update, reward, I_hat
        and so on. pandas.DataFrame(run.metrics) takes it."""
        lines = Path(self.folder, "metrics.jsonl").read_text().split("\n")[:-1]
        rows = [json.loads(line) for line in lines]
        names = list(dict.fromkeys(name for row in rows for name in row))
        fields = [(name, np.int64 if name == "update" else np.float64) for name in names]
        out = np.empty(len(rows), dtype=fields)
        for name in names:
            # infinity and NaN are null in JSON
            column = [row.get(name) for row in rows]
            out[name] = [np.nan if value is None else value for value in column]
        return out

    def sample(self, options: int, seed: int = 1) -> dict[str, Any]:
        """Options of the policy as arrays.

        In a table: s_f, length, reward, log_pi_p, external (N); states and actions (N, T_max), -1
        after the end. In a simulated world: states (N, T + 1, n), actions (N, T, F), cell, reward,
        log_pi_p, external (N).
        """
        count, number = whole(options, "The number of options"), whole(seed, "The seed")
        if not 1 <= count <= 1_000_000:
            raise UsageError(f"{options} options cannot be sampled; take from 1 to 1000000.")
        if number < 0:
            raise UsageError(f"The seed {seed} is below 0.")
        return self._core.sample(count, number)

    def policy(
        self,
        states: Sequence[int],
        actions: Sequence[int] = (),
        *,
        goal: int | str | None = None,
        skill: int | None = None,
        temperature: float = 1.0,
    ) -> NDArray[np.float64]:
        """(A + 1) the probabilities of the next action after a history, termination last.

        A history is its states and the actions between them, one fewer. With a goal they are those
        of the policy that ends there; an agent with explicit skills needs a skill or a goal.
        """
        if len(states) != len(actions) + 1:
            raise UsageError(
                "A history has one state more than actions; this one has "
                f"{len(states)} and {len(actions)}."
            )
        history = self._begin(states[0], self._condition(goal, skill), temperature)
        for action, state in zip(actions, states[1:]):
            history.move(whole(action, "A move"), whole(state, "A state"))
        return history.p

    def _begin(self, state: int, condition: int, temperature: float) -> _core.Execution:
        if not isinstance(temperature, (int, float)) or not 0 <= temperature <= 100:
            raise UsageError(f"The temperature {temperature!r} is not a number from 0 to 100.")
        return _core.Execution(self._core, whole(state, "A state"), condition, temperature)

    def options(
        self, goals: Sequence[int | str] | None = None, *, temperature: float = 1.0
    ) -> RunOptions:
        """Options to act with: one for each goal, or for each skill if the agent has skills and no
        goals are named. By default, goals are all states in which an option can end."""
        if goals is None and self._core.skills > 0:
            return RunOptions(self, range(self._core.skills), None, temperature)
        names = self.world.state_names
        listed = self.world.final_states if goals is None else goals
        states = [self.world._number(goal) for goal in listed]
        conditions = [self._core.condition(names[state]) for state in states]
        return RunOptions(self, conditions, states, temperature)

    def _condition(self, goal: int | str | None, skill: int | None) -> int:
        if goal is not None:
            return self._core.condition(self.world._state(goal))
        skills = self._core.skills
        if skill is None and skills == 0:
            return -1
        if skill is None or not 0 <= whole(skill, "A skill") < skills:
            raise UsageError(
                f"The agent of {self.folder} "
                + (f"has skills 0 to {skills - 1}: name one, or a goal." if skills else "has none.")
            )
        return skill

    def policy_table(self) -> dict[str, Any]:
        """The policy in every history of a small world, as in vic export --policy: t, parent,
        action, state, p (R), pi_p (R, A + 1), goals (G), and pi_q (G, R, A + 1) and b (R, A, G) of
        agents that have them."""
        return self._core.policy_table()

    def reach(self, goal: int | str | None = None, **settings: Any) -> NDArray[np.void] | dict[str, float]:
        """How often options end in the goals that they are conditioned on.

        In a table: an element for the goal, or for every reachable one, with the fields goal,
        success, low and high (its 95 % interval; equal if it is exact) and best, the largest
        of any policy. In a simulated world the goal is a text such as
        "distance=3,turns=-1", and the answer has success, low, high and chance. Settings are those
        of vic reach: temperature, options, seed and so on.
        """
        chosen = pairs("reach", settings)
        if not self.world.is_table:
            if goal is None:
                raise UsageError('In a simulated world a goal is a text, such as "distance=3".')
            return self._core.reach_place(str(goal), chosen)
        name = "" if goal is None else self.world._state(goal)
        columns = self._core.reach_states(name, chosen)
        columns.pop("exact")
        return structured(columns)

    def attempt(self, goal: int | str, seed: int = 1, **settings: Any) -> dict[str, Any]:
        """One option conditioned on a goal of a table: states, actions, and whether it arrived."""
        chosen = pairs("reach", {"seed": seed, **settings})
        return self._core.attempt(self.world._state(goal), chosen)

    def __repr__(self) -> str:
        return f"<vic.Run {self.folder}: {self.algorithm}, update {self.update} of {self.updates}>"


class RunOptions:
    """Options of a run: each is conditioned on a goal, or on a skill."""

    def __init__(
        self,
        run: Run,
        conditions: Sequence[int],
        goals: list[int] | None,
        temperature: float,
    ) -> None:
        self.run, self.world, self.goals, self.temperature = run, run.world, goals, temperature
        self._conditions = conditions

    def __len__(self) -> int:
        return len(self._conditions)

    def begin(self, option: int, state: int) -> _core.Execution:
        """An option that begins in a state: draw(u) is its next action, move(a, s) its outcome."""
        return self.run._begin(state, self._conditions[option], self.temperature)


def train(
    world: str | os.PathLike[str] | World | None = None,
    algorithm: str | None = None,
    *,
    updates: int | None = None,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: bool | Progress = False,
    every: int = 10,
    force: bool = False,
    from_run: Run | str | os.PathLike[str] | None = None,
    settings: Mapping[str, Any] | None = None,
    **train_settings: Any,
) -> Run:
    """Trains an agent, evaluates it and returns the run, with the same bytes as vic train.

    Further keywords are train.* settings (warm_up=500, hidden=32); `settings` has others by their
    dotted keys ({"eval.options": 1000, "train.lambda": 0.5}). `progress` is True for a bar (tqdm's
    if it is installed), or a function of update, updates and I_hat that is called every `every`
    updates and ends the training by returning False. Ctrl-C saves the run and raises
    KeyboardInterrupt; `resume` continues in either case. `from_run` names a run to continue from in
    a new folder, and `force` replaces the run that is in the folder.
    """
    chosen: Pairs = [(key, text_of(value)) for key, value in (settings or {}).items()]
    named = {"algorithm": algorithm, "seed": seed, "updates": updates}
    chosen += pairs("train", {key: value for key, value in named.items() if value is not None})
    chosen += pairs("train", train_settings)
    origin = from_run.folder if isinstance(from_run, Run) else os.fspath(from_run or "")
    if world is None and not origin:
        raise UsageError("vic.train needs a world, or from_run with a run to go on from.")
    with tempfile.TemporaryDirectory() as copy:
        if world is not None:
            of = as_world(world)
            chosen += source_pairs(of)
            if of._core.text:
                if origin:
                    raise UsageError("from_run goes on in its own world, a name or a file.")
                Path(copy, "world.toml").write_text(of._core.text)
        with _watch(progress, every) as watch:
            folder = _core.train(chosen, copy, origin, os.fspath(out or ""), force, watch)
    return load(folder)


def resume(
    run: Run | str | os.PathLike[str], *, progress: bool | Progress = False, every: int = 10
) -> Run:
    """Continues a run that was interrupted, to the same bytes as one that was not."""
    folder = run.folder if isinstance(run, Run) else os.fspath(run)
    with _watch(progress, every) as watch:
        _core.resume(folder, watch)
    return load(folder)


def load(folder: str | os.PathLike[str]) -> Run:
    """The run in a folder, as far as it was trained."""
    return Run(folder)


class _watch:
    """The progress in the form of the module, and a function that closes its bar."""

    def __init__(self, progress: bool | Progress, every: int) -> None:
        if not isinstance(every, int) or every < 1:
            raise UsageError(f"every={every!r}: it is a whole number of updates, at least 1.")
        if not isinstance(progress, bool) and not callable(progress):
            raise UsageError("progress is True, False or a function of update, updates and I_hat.")
        self.every = every
        self.bar: _Bar | None = _Bar() if progress is True else None
        self.call: Progress | None = None if isinstance(progress, bool) else progress
        if self.bar:
            self.call = self.bar.show

    def __enter__(self) -> _core.Watch:
        return _core.Watch(self.call, self.every, warn)

    def __exit__(self, *_: object) -> None:
        if self.bar:
            self.bar.close()


class _Bar:
    """A bar by tqdm, or lines on stderr if it is not installed."""

    def __init__(self) -> None:
        self.bar: Any = None
        self.last = 0.0
        try:
            self.tqdm: Any = importlib.import_module("tqdm.auto").tqdm
        except ImportError:
            self.tqdm = None

    def show(self, update: int, updates: int, I_hat: float) -> None:
        if self.tqdm is None:
            if time.monotonic() - self.last > 2 or update == updates:
                self.last = time.monotonic()
                print(f"update {update} of {updates}, I {I_hat:.4f}", file=sys.stderr)
            return
        if self.bar is None:
            self.bar = self.tqdm(total=updates, unit=" updates", initial=update)
        self.bar.set_postfix(I=f"{I_hat:.4f}", refresh=False)
        self.bar.update(update - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
