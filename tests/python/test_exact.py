"""Optima as arrays, against a dynamic programme in NumPy that shares no code with them."""

import json
import math

import numpy as np
import pytest

import vic


def entropy(p):
    p = p[p > 0]
    return float(-(p * np.log(p)).sum())


def forward(P, absorbing, start, policy):
    """p(s_f) of a policy (T_max, S, A + 1) of time and state, step by step."""
    T, S, width = policy.shape
    at = np.zeros(S)
    at[start] = 1
    ended = np.zeros(S)
    for t in range(T):
        stop = np.where(absorbing | (t == T - 1), 1.0, np.nan_to_num(policy[t, :, -1]))
        ended += at * stop
        moves = np.nan_to_num(policy[t, :, :-1]) * (at * (1 - stop > 0) * ~absorbing)[:, None]
        at = np.einsum("sa,sat->t", moves, P) if t < T - 1 else np.zeros(S)
    return ended


def certificate(P, absorbing, start, T, p_final):
    """No policy has more than this: the best expectation of -log p_final, by backward induction."""
    with np.errstate(divide="ignore"):
        payoff = -np.log(p_final)
    value = payoff.copy()
    for _ in range(T - 1):
        moves = np.einsum("sat,t->sa", P, np.where(np.isfinite(value), value, 1e300))
        value = np.where(absorbing, payoff, np.maximum(payoff, moves.max(axis=1)))
    return value[start]


@pytest.mark.parametrize("name", ["line", "line-noisy", "tree-noisy", "rooms-35"])
def test_the_policy_has_the_value_and_nothing_beats_it(name):
    world = vic.world(name)
    exact = vic.exact(world, fast=True)
    p = forward(world.P, world.absorbing, world.start, exact.policy)
    np.testing.assert_allclose(p, exact.p_final, atol=1e-9)
    assert entropy(p) == pytest.approx(exact.H_max, abs=1e-9)
    # states that cannot be reached in time do not take part
    reachable = np.isin(np.arange(world.S), world.final_states)
    bound = certificate(
        world.P, world.absorbing, world.start, world.T_max, np.where(reachable, p, 1.0)
    )
    assert exact.H_max - 1e-9 <= bound <= exact.H_max + exact.H_max_gap + 1e-6


def test_the_numbers_are_those_of_the_program(program):
    exact = vic.exact("line-noisy")
    assert exact.H_max == pytest.approx(2.19398, abs=1e-5)
    theirs = json.loads(program("exact", "line-noisy", "--json"))
    for name in ("H_max", "H_max_gap", "D_max", "H_at_D_max", "C_open", "notes"):
        assert getattr(exact, name) == theirs[name], name


def test_the_policy_over_histories_has_its_control():
    """D by enumeration, from the table of histories alone."""
    world = vic.world("line-noisy", T_max=4)
    exact = vic.exact(world)
    table, P = exact.history_policy, world.P
    R, A = len(table["state"]), world.A
    visits = np.zeros(R)
    visits[0] = 1
    joint = np.zeros((R, A + 1, world.S))
    children = [[] for _ in range(R)]
    for row in range(1, R):
        parent, a = table["parent"][row], table["action"][row]
        visits[row] = (
            visits[parent]
            * table["pi"][parent, a]
            * P[table["state"][parent], a, table["state"][row]]
        )
        children[parent].append(row)
    # the ends of options that pass a row and take an action
    after = np.zeros((R, world.S))
    for row in reversed(range(R)):
        s = table["state"][row]
        joint[row, A, s] = visits[row] * (table["pi"][row, A] if children[row] else 1)
        for child in children[row]:
            joint[row, table["action"][child]] += after[child]
        after[row] = joint[row].sum(axis=0)
    D = 0.0
    for row in range(R):
        p = joint[row]
        outer = p.sum(axis=1, keepdims=True) * p.sum(axis=0, keepdims=True)
        positive = p > 0
        if visits[row] > 0:
            D += (p[positive] * np.log(p[positive] * p.sum() / outer[positive])).sum()
    assert D == pytest.approx(exact.D_max, abs=1e-6)


def test_a_world_of_two_rooms_by_hand():
    """A door that opens with probability q: the channel of a coin, one move."""
    q = 0.3
    P = np.array([[[1, 0], [1 - q, q]], [[0, 1], [0, 1]]], dtype=float)
    exact = vic.exact(vic.TabularWorld(P, 0, 2))
    best = max(entropy(np.array([1 - x * q, x * q])) for x in np.linspace(0, 1, 20001))
    assert exact.H_max == pytest.approx(best, abs=1e-7)
    # the capacity of the Z channel
    z = 1 - q  # the chance to fail
    capacity = math.log(1 + (1 - z) * z ** (z / (1 - z)))
    assert exact.C_open == pytest.approx(capacity, abs=1e-6)
    assert exact.D_max == pytest.approx(capacity, abs=1e-6)


def test_the_map_has_every_start():
    world = vic.world("line")
    starts = vic.exact_map(world)
    assert len(starts.table) == world.S
    for row, (number, name) in zip(starts.table, enumerate(world.state_names)):
        alone = vic.exact(vic.world("line", start=name), fast=True)
        assert row["state"] == number
        assert row["H_max"] == pytest.approx(alone.H_max, abs=1e-9)
    assert starts.on_map("H_max").shape == (1, world.S)


def test_simulated_worlds_have_no_table():
    with pytest.raises(vic.UsageError, match="simulated"):
        vic.exact("half-cheetah")


def test_bad_settings_are_sentences():
    with pytest.raises(vic.UsageError, match="exact.gap"):
        vic.exact("line", gap=-1)
    with pytest.raises(vic.UsageError, match="exact.gaps"):
        vic.exact("line", gaps=1)


def test_options_that_may_not_stop():
    """On a ring every option of two moves ends an even number of places away."""
    P = np.zeros((4, 2, 4))
    for s in range(4):
        P[s, 0, (s + 1) % 4] = P[s, 1, (s - 1) % 4] = 1
    free, never = (vic.TabularWorld(P, 0, 3, termination=how) for how in ("free", "never"))
    assert free.may_stop and not never.may_stop
    assert vic.exact(free).H_max == pytest.approx(math.log(4), abs=1e-6)
    assert vic.exact(never).H_max == pytest.approx(math.log(2), abs=1e-6)
