"""Bad input of all kinds, drawn by hypothesis: a sentence, never a crash, and never silence."""

import math

import gymnasium
import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from gymnasium import spaces
from test_worlds import numbers

import vic

# ---- environments

OBSERVATIONS = [
    lambda draw: np.array([draw, 0.0]),
    lambda draw: [0.0, draw],
    lambda draw: (draw,),
    lambda draw: np.zeros((2, 2)),
    lambda draw: np.array(["a", "b"]),
    lambda draw: {"x": draw},
    lambda draw: None,
    lambda draw: draw,
    lambda draw: [[0.0], 0.0],
    lambda draw: object(),
]
SPACES = [
    spaces.Box(-1, 1, (3,)),
    spaces.Discrete(2),
    spaces.Dict({"x": spaces.Discrete(2)}),
    None,
    3,
]
ERRORS = [RuntimeError, ValueError, KeyError, OSError, MemoryError, StopIteration, RecursionError]


class Hostile(gymnasium.Env):
    """A point on its own line. At one call of reset or step it misbehaves in one way."""

    def __init__(self, at, does, value, which):
        self.action_space, self.observation_space = spaces.Discrete(2), spaces.Box(-9, 9, (2,))
        self.at, self.does, self.value, self.which, self.calls = at, does, value, which, 0

    def act(self, usual):
        self.calls += 1
        if self.calls != self.at:
            return usual
        if self.does == "raise":
            raise ERRORS[self.which % len(ERRORS)]("as \udcff it \n likes \x00")
        if self.does == "observe":
            return (OBSERVATIONS[self.which % len(OBSERVATIONS)](self.value), *usual[1:])
        if self.does == "actions":
            self.action_space = SPACES[self.which % len(SPACES)]
        if self.does == "observations":
            self.observation_space = SPACES[self.which % len(SPACES)]
        if self.does == "return":
            return [None, (), usual[:1], (*usual, 1), 7, "ab"][self.which % 6]
        if self.does == "end":
            return (usual[0], *[self.value] * (len(usual) - 1))
        return usual

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x = 0.0
        return self.act((np.array([self.x, 1.0]), {}))

    def step(self, action):
        self.x += 1 if action else -1
        return self.act((np.array([self.x, 1.0]), 0.0, False, False, {}))


@hypothesis.given(
    at=st.integers(1, 14),
    does=st.sampled_from(["raise", "observe", "actions", "observations", "return", "end"]),
    value=st.one_of(st.floats(), st.sampled_from([math.nan, math.inf, 0.0, 1e308])),
    which=st.integers(0, 100),
)
@hypothesis.settings(max_examples=50)
def test_an_environment_is_trained_in_or_a_sentence(tmp_path_factory, at, does, value, which):
    few = {"updates": 1, "warm_up": 0, "batch": 2, "hidden": 8, "force": True}
    surveys = {"run.survey_options": 100, "eval.options": 100}
    folder = tmp_path_factory.getbasetemp() / "hostile"
    try:
        world = vic.from_gymnasium(
            lambda: Hostile(at, does, value, which), T=3, cells={0: 1}, name="hostile"
        )
        run = vic.train(world, "marginal", out=folder, settings=surveys, **few)
    except vic.Error as error:
        assert str(error).strip()
    else:
        assert math.isfinite(run.H)


@hypothesis.given(
    P=st.dictionaries(
        st.integers(-1, 2),
        st.dictionaries(
            st.integers(-1, 2),
            st.lists(
                st.one_of(
                    st.tuples(numbers, st.integers(-1, 3), st.just(0.0), st.booleans()),
                    st.tuples(numbers, numbers),
                    st.none(),
                ),
                max_size=2,
            ),
        ),
    ),
    T_max=st.one_of(st.none(), st.integers(-1, 5), st.floats()),
)
@hypothesis.settings(max_examples=80)
def test_a_table_of_gymnasium_is_a_world_or_a_sentence(P, T_max):
    class Toy(gymnasium.Env):
        observation_space, action_space = spaces.Discrete(2), spaces.Discrete(2)

        def reset(self, **_):
            return 0, {}

        def step(self, _):
            return 0, 0.0, False, False, {}

    toy = Toy()
    toy.P = P
    try:
        world = vic.from_gymnasium(toy, T_max=T_max)
    except vic.UsageError as error:
        assert str(error)
    else:
        np.testing.assert_allclose(world.P.sum(axis=2), 1)


# ---- a run

anything = st.one_of(
    st.integers(-2, 12), st.floats(), st.text(max_size=4), st.none(), st.just(2**70), st.binary()
)


@hypothesis.given(
    states=st.lists(anything, max_size=6),
    actions=st.lists(anything, max_size=5),
    goal=anything,
    skill=anything,
    temperature=st.one_of(st.floats(), st.just(1.0)),
)
@hypothesis.settings(max_examples=80)
def test_a_history_has_a_policy_or_a_sentence(run, states, actions, goal, skill, temperature):
    try:
        p = run.policy(states, actions, goal=goal, skill=skill, temperature=temperature)
    except vic.UsageError as error:
        assert str(error)
    else:
        assert p.sum() == pytest.approx(1)


@hypothesis.given(options=anything, seed=anything, goal=anything, temperature=anything)
@hypothesis.settings(max_examples=40)
def test_samples_and_goals_are_given_or_a_sentence(run, options, seed, goal, temperature):
    for call in (
        lambda: run.sample(options, seed),
        lambda: run.reach(goal, temperature=temperature),
        lambda: run.attempt(goal, seed),
        lambda: run.options([goal], temperature=temperature).begin(0, options),
    ):
        try:
            assert call() is not None
        except vic.UsageError as error:
            assert str(error)
