"""Worlds as arrays, and bad input as sentences."""

import math

import hypothesis
import hypothesis.extra.numpy as arrays
import hypothesis.strategies as st
import numpy as np
import pytest

import vic

hypothesis.settings.register_profile("same", derandomize=True, deadline=None, max_examples=150)
hypothesis.settings.load_profile("same")


def test_a_registered_world_is_arrays():
    world = vic.world("line-noisy", noise=0.2)
    assert (world.S, world.A, world.T_max) == (9, 2, 5)
    P = world.P
    np.testing.assert_allclose(P.sum(axis=2), 1)
    # left goes left with 0.8 and right with 0.2
    assert P[4, 0, 3] == 0.8 and P[4, 0, 5] == pytest.approx(0.2)
    assert world.action_names[-1] == "terminate"
    assert world.state_names[world.start] == "0"
    with pytest.raises(ValueError):
        world.coordinates[0] = 1


def test_arrays_outlive_their_world():
    p = vic.world("line-noisy")._core.p
    assert p.sum() == pytest.approx(18)


def test_wrong_names_and_settings_have_the_sentences_of_the_program():
    with pytest.raises(vic.UsageError, match="There is no world 'line-nosy'.*line-noisy"):
        vic.world("line-nosy")
    with pytest.raises(vic.UsageError, match="world.noise = 2 is not allowed"):
        vic.world("line-noisy", noise=2)
    with pytest.raises(ValueError):
        vic.world("missing.toml")


def random_table(seed, S, A, zeros=0.5):
    generator = np.random.default_rng(seed)
    P = generator.random((S, A, S)) * (generator.random((S, A, S)) > zeros)
    P[:, :, 0] += 0.1
    return P / P.sum(axis=2, keepdims=True)


def test_a_table_comes_back_as_it_was():
    P = random_table(1, 5, 3)
    world = vic.TabularWorld(P, 2, 4, states=list("abcde"), actions=["x", "y", "z"])
    np.testing.assert_allclose(world.P, P, atol=1e-15)
    assert (world.start, world.state_names, world.T_max) == (2, list("abcde"), 4)
    assert vic.world(world, T_max=3).T_max == 3


def test_states_without_moves_absorb():
    P = np.zeros((3, 1, 3))
    P[0, 0, 1] = 1
    world = vic.TabularWorld(P, 0, 3)
    # nothing leads to state 2: whether it absorbs cannot matter
    assert world.absorbing.tolist() == [False, True, False]
    assert world.P[1, 0, 1] == 1


def stay(S=2, A=1):
    return np.tile(np.eye(S)[:, None, :], (1, A, 1))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"P": stay() * np.nan}, r"P\[0, 0, 0\] is nan"),
        ({"P": stay() * 0.9}, r"P\[0, 0\] sums to 0.9; it must sum to 1"),
        ({"P": stay() - 0.5}, r"P\[0, 0, 1\] is -0.5"),
        ({"P": np.ones((2, 2))}, r"P has the shape \(2, 2\)"),
        ({"P": np.ones((2, 1, 3))}, r"P has the shape \(2, 1, 3\)"),
        ({"P": np.zeros((0, 1, 0))}, "of at least one state"),
        ({"P": "P"}, "P is not an array of numbers"),
        ({"P": [[1], [1, 2]]}, "P is not an array of numbers"),
        ({"start": 2}, "There is no state 2"),
        ({"start": "x"}, "The start 'x' is none of the states"),
        ({"start": 0.5}, "The start is a whole number, not 0.5"),
        ({"T_max": 1}, "T_max = 1"),
        ({"T_max": None}, "T_max is a whole number, not None"),
        ({"states": ["a"]}, "states has 1 names; it must have 2"),
        ({"states": ["a", "a"]}, "twice"),
        ({"states": ["a\n", "b"]}, "name"),
        ({"states": ["\ud800", "b"]}, "is not text"),
        ({"actions": ["x", "y"]}, "actions has 2 names; it must have 1"),
        ({"reward": [1]}, r"reward has the shape \(1,\)"),
        ({"reward": [1, math.inf]}, "reward.* is inf"),
        ({"step_reward": math.nan}, "step_reward"),
        ({"coordinates": [1, 2]}, r"coordinates has the shape \(2,\)"),
        ({"absorbing": [0, 1]}, "truth values"),
        ({"absorbing": [True, False]}, "The start 0 absorbs"),
        ({"termination": "often"}, 'termination = "often"'),
        ({"name": "../x"}, "name"),
        ({"name": ""}, "name"),
    ],
)
def test_a_wrong_table_is_a_sentence(arguments, sentence):
    given = {"P": stay(), "start": 0, "T_max": 3, **arguments}
    with pytest.raises(vic.UsageError, match=sentence):
        vic.TabularWorld(**given)


numbers = st.one_of(
    st.floats(width=64), st.sampled_from([0.0, 1.0, 0.5, -1.0, math.nan, math.inf, 1e-300])
)


@hypothesis.given(
    P=arrays.arrays(float, arrays.array_shapes(max_dims=4, max_side=4), elements=numbers),
    start=st.one_of(st.integers(-3, 5), st.floats(), st.text(max_size=3), st.none()),
    T_max=st.one_of(st.integers(-3, 200000), st.floats(), st.none()),
    name=st.text(max_size=70),
    reward=st.one_of(st.none(), arrays.arrays(float, st.integers(0, 4), elements=numbers)),
)
def test_anything_is_a_world_or_a_sentence(P, start, T_max, name, reward):
    try:
        world = vic.TabularWorld(P, start, T_max, name=name, reward=reward)
    except vic.UsageError as error:
        assert str(error)
    else:
        np.testing.assert_allclose(world.P.sum(axis=2), 1)


@st.composite
def tables(draw):
    """Valid tables, with states that cannot be entered and absorbing states."""
    S, A = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    weights = draw(
        arrays.arrays(float, (S, A, S), elements=st.sampled_from([0.0, 0.0, 0.1, 1.0, 1e-9]))
    )
    weights[(weights.sum(axis=2) == 0).any(axis=1)] = 0
    sums = weights.sum(axis=2, keepdims=True)
    P = np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0)
    return P, draw(st.integers(0, S - 1)), draw(st.integers(2, 4))


@hypothesis.given(tables())
@hypothesis.settings(max_examples=60)
def test_every_right_table_has_optima(table):
    P, start, T_max = table
    if P[start].sum() == 0:
        with pytest.raises(vic.UsageError, match="absorbs"):
            vic.TabularWorld(P, start, T_max)
        return
    world = vic.TabularWorld(P, start, T_max)
    exact = vic.exact(world, fast=True)
    assert 0 <= exact.D_max <= exact.H_max + exact.H_max_gap + 1e-6
    assert exact.H_max <= math.log(len(world.final_states)) + 1e-9


@hypothesis.given(st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=2))
@hypothesis.settings(max_examples=60)
def test_settings_are_understood_or_a_sentence(settings):
    try:
        vic.world("line", **settings)
    except vic.UsageError as error:
        assert str(error)
