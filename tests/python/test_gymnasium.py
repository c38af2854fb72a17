"""Gymnasium's tables and environments as worlds."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from test_exact import certificate, entropy, forward

import vic

# ---- tables


def independent(env, world):
    """P and ends, independently of the package: every state has a twin that is an end.

    The states of the world among these come first, in its order.
    """
    S, A = env.observation_space.n, env.action_space.n
    P = np.zeros((2 * S, A, 2 * S))
    for s, actions in env.unwrapped.P.items():
        for a, outcomes in actions.items():
            for p, to, _, done in outcomes:
                P[s, a, to + S * bool(done)] += p
    known = [int(name.split()[0]) for name in world.state_names]
    order = np.array([s + S * end for s, end in zip(known, world.absorbing)])
    order = np.concatenate([order, np.setdiff1d(np.arange(2 * S), order)])
    return P[order][:, :, order], order >= S


@pytest.mark.parametrize(
    ("name", "options", "T_max"),
    [
        ("FrozenLake-v1", {"map_name": "8x8"}, 21),
        ("FrozenLake-v1", {"map_name": "8x8", "is_slippery": False}, 31),
        ("CliffWalking-v1", {}, 21),
        ("Taxi-v3", {}, 21),
    ],
)
def test_toy_text_is_solved_exactly(name, options, T_max):
    env = gymnasium.make(name, **options)
    world = vic.from_gymnasium(env, T_max=T_max)
    exact = vic.exact(world, fast=True, gap=1e-4)
    P, ends = independent(env, world)
    policy = np.full((T_max, len(P), world.A + 1), np.nan)
    policy[:, : world.S] = exact.policy
    p = forward(P, ends, world.start, policy)
    assert p.sum() == pytest.approx(1) and entropy(p) == pytest.approx(exact.H_max, abs=1e-9)
    reachable = np.isin(np.arange(len(P)), world.final_states)
    bound = certificate(P, ends, world.start, T_max, np.where(reachable, p, 1.0))
    assert exact.H_max - 1e-9 <= bound <= exact.H_max + exact.H_max_gap + 1e-6
    assert exact.H_max_gap < 1e-3


def test_the_map_of_the_frozen_lake():
    world = vic.from_gymnasium(gymnasium.make("FrozenLake-v1", is_slippery=False), T_max=4)
    image = vic.exact_map(world).on_map("H_max")
    assert image.shape == (4, 4)
    holes = [(1, 1), (1, 3), (2, 3), (3, 0), (3, 3)]
    assert sorted(zip(*np.where(np.isnan(image)))) == holes
    # without ice an option of three moves reaches a diamond, cut by walls and holes
    assert image[0, 0] == pytest.approx(np.log(len(world.final_states)), abs=1e-6)


def test_the_time_limit_is_the_default():
    assert vic.from_gymnasium("FrozenLake-v1").T_max == 101
    with pytest.raises(vic.UsageError, match="time limit"):
        vic.from_gymnasium("CliffWalking-v1")


class Table(gymnasium.Env):
    """A state that is entered with and without an end becomes two."""

    observation_space, action_space = spaces.Discrete(2), spaces.Discrete(2)

    def __init__(self, P=None):
        loop = {0: [(1.0, 0, 0, False)], 1: [(1.0, 0, 0, False)]}
        self.P = P or {0: {0: [(1.0, 1, 0, False)], 1: [(1.0, 1, 0, True)]}, 1: loop}

    def reset(self, *, seed=None, options=None):
        return 0, {}

    def step(self, action):
        return 0, 0.0, False, False, {}


def test_an_end_that_is_also_passed_is_two_states():
    world = vic.from_gymnasium(Table(), T_max=4)
    assert world.state_names == ["0", "1", "1 end"]
    assert world.absorbing.tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("P", "sentence"),
    [
        ({0: {0: [(1.0, 5, 0, False)], 1: []}, 1: {0: [], 1: []}}, "leads to 5"),
        ({0: {0: [(0.5, 0, 0, False)], 1: [(1.0, 0, 0, False)]}, 1: {0: [], 1: []}}, "sums to 0.5"),
        ({0: {0: [(float("nan"), 0, 0, False)], 1: []}, 1: {0: [], 1: []}}, "is nan"),
        ({0: {0: [(1.0, 0)]}}, "is not P"),
        ({0: 3}, "is not P"),
    ],
)
def test_wrong_tables_are_sentences(P, sentence):
    with pytest.raises(vic.UsageError, match=sentence):
        vic.from_gymnasium(Table(P), T_max=3)


# ---- simulators

SURVEYS = {"run.survey_options": 100}
FEW = {"updates": 4, "warm_up": 0, "batch": 32, "settings": SURVEYS}


def test_acrobot_is_trained_loaded_and_the_same_again(tmp_path):
    world = vic.from_gymnasium("Acrobot-v1", T=10, cells={0: 0.05, 2: 0.05})
    assert not world.is_table and len(world.specification["state_names"]) == 6
    runs = [vic.train(world, "marginal", out=tmp_path / name, **FEW) for name in "ab"]
    assert runs[0].H > 0
    for file in ("metrics.jsonl", "evaluation.json", "checkpoint.safetensors"):
        first, second = ((tmp_path / name / file).read_bytes() for name in "ab")
        assert first == second, file
    options = vic.load(runs[0].folder).sample(64)
    assert options["states"].shape == (64, 11, 6) and options["actions"].shape == (64, 10, 1)
    # the actions lead to these states in the environment itself
    env = gymnasium.make("Acrobot-v1").unwrapped
    for states, actions in zip(options["states"][:5], options["actions"][:5]):
        env.reset(seed=0)
        c1, s1, c2, s2, v1, v2 = states[0]
        env.state = np.array([np.arctan2(s1, c1), np.arctan2(s2, c2), v1, v2])
        for t, action in enumerate(actions[:, 0]):
            observation, _, terminated, _, _ = env.step(int(action))
            np.testing.assert_allclose(observation, states[t + 1], atol=2e-3)
            if terminated:
                assert (states[t + 1 :] == states[t + 1]).all()
                break


class Walker(gymnasium.Env):
    """A point in the plane, with a chosen fault."""

    def __init__(self, wrong=None, action_space=None):
        self.action_space = action_space or spaces.Box(-1, 1, (2,))
        self.observation_space = spaces.Box(-np.inf, np.inf, (2,))
        self.wrong, self.count = wrong, 0

    def observed(self):
        if self.wrong == "nan" and self.count > 3:
            return np.array([np.nan, 0])
        if self.wrong == "shape" and self.count > 3:
            return np.zeros(3)
        if self.wrong == "text" and self.count > 3:
            return ["a", "b"]
        return self.at.copy()

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if self.wrong == "spaces" and self.count > 3:
            self.observation_space = spaces.Box(-1, 1, (2,))
        if self.wrong == "reset" and self.count > 3:
            raise RuntimeError("no more")
        self.at = self.np_random.random(2) * 0.1
        return self.observed(), {}

    def step(self, action):
        self.count += 1
        if self.wrong == "raises" and self.count > 3:
            raise ZeroDivisionError("in the middle")
        if self.wrong == "tuple" and self.count > 3:
            return self.observed()
        self.at = self.at + np.asarray(action, dtype=float).ravel()[:2]
        return self.observed(), 0.0, bool(self.at[0] > 3), False, {}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("nan", "returned nan as number 0"),
        ("shape", r"of the shape \(3,\)"),
        ("text", "ValueError in an observation"),
        ("spaces", "has changed its spaces"),
        ("reset", r"RuntimeError in reset.*no more"),
        ("raises", r"ZeroDivisionError in step.*in the middle"),
        ("tuple", "ValueError in step"),
    ],
)
def test_environments_that_go_wrong_are_sentences(wrong, sentence, tmp_path):
    with pytest.raises(vic.Error, match=sentence):
        world = vic.from_gymnasium(lambda: Walker(wrong), T=5, cells={0: 1, 1: 1}, name="wrong")
        vic.train(world, "marginal", out=tmp_path / "run", **FEW)


@pytest.mark.parametrize(
    "space",
    [
        spaces.Box(-1, 1, (2,)),
        spaces.MultiDiscrete([3, 2]),
        spaces.Discrete(3, start=-1),
        spaces.Box(np.array([[-1.0, 0.0]]), np.array([[1.0, 0.5]])),
    ],
)
def test_actions_of_every_kind(space, tmp_path):
    seen = []

    class Seeing(Walker):
        def step(self, action):
            seen.append(action)
            return super().step(np.resize(np.asarray(action, dtype=float), 2))

    def make():
        return Seeing(action_space=space)

    world = vic.from_gymnasium(make, T=5, cells={0: 1, 1: (0.5, 20)}, levels=3, name="kinds")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", vic.VicWarning)
        run = vic.train(world, "belief", out=tmp_path / "run", **FEW)
    assert all(space.contains(action) or isinstance(action, int) for action in seen)
    if isinstance(space, spaces.Discrete):
        assert set(seen) == {-1, 0, 1}
    assert run.reach("x0=1")["success"] >= 0


def test_an_end_is_where_it_stays(tmp_path):
    world = vic.from_gymnasium(Walker(), T=12, cells={0: 1, 1: 1}, seed=3, name="ends")
    assert world.specification["deterministic"]
    run = vic.train(world, "marginal", out=tmp_path / "run", **FEW)
    states = run.sample(200)["states"]
    beyond = states[:, :, 0] > 3
    assert beyond.any()
    for one, over in zip(states, beyond):
        if over.any():
            first = int(np.argmax(over))
            assert (one[first:] == one[first]).all()
    # every option begins with the same seed
    assert (states[:, 0] == states[0, 0]).all()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"cells": None}, "cells are made of"),
        ({"cells": {}}, "cells maps"),
        ({"cells": {7: 1.0}}, "no number 7"),
        ({"cells": {0: -1.0}}, "positive width"),
        ({"cells": {0: float("nan")}}, "positive width"),
        ({"cells": {"x": 1.0}}, "number:width:limit"),
        ({"cells": {0: (1.0, 0)}}, "1 to 1000000"),
        ({"cells": {0: (1.0, 10**4), 1: (1.0, 10**4)}}, "ten million cells"),
        ({"T": 0}, "world.T"),
        ({"levels": 1}, "world.levels"),
        ({"seed": "x"}, "world.seed"),
    ],
)
def test_wrong_uses_are_sentences(arguments, sentence):
    with pytest.raises(vic.Error, match=sentence):
        vic.from_gymnasium(Walker(), **{"cells": {0: 1.0}, "name": "uses", **arguments})


def test_spaces_that_cannot_be():
    for space in (spaces.Box(-np.inf, np.inf, (1,)), spaces.Tuple([spaces.Discrete(2)])):
        with pytest.raises(vic.UsageError, match="Actions"):
            vic.from_gymnasium(Walker(action_space=space), cells={0: 1})
    with pytest.raises(vic.UsageError, match="no environment"):
        vic.from_gymnasium(3)
    with pytest.raises(vic.UsageError, match="cannot make"):
        vic.world("gymnasium:Missing-v0", cells="0:1:10")
