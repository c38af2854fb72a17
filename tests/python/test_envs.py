"""Our worlds as environments of Gymnasium, and options as actions."""

import json
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from test_exact import entropy

import vic

EXAMPLES = Path(__file__).parents[2] / "examples"

@pytest.mark.parametrize("name", ["line", "grid-noisy", "tree", "four-rooms", "rooms-35"])
def test_our_worlds_pass_the_checker(name):
    env = gymnasium.make(f"vic/{name}-v0", render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.reset(seed=1)
    assert "@" in env.render()


def test_an_environment_moves_as_its_table_says():
    env = vic.envs.WorldEnv("line-noisy")
    counts = np.zeros(env.world.S)
    env.reset(seed=1)
    for _ in range(4000):
        env.reset()
        counts[env.step(0)[0]] += 1
    expected = env.world.P[env.world.start, 0]
    assert np.abs(counts / 4000 - expected).max() < 0.03
    assert (counts[expected == 0] == 0).all()


def test_an_episode_is_an_option():
    env = gymnasium.make("vic/line-v0").unwrapped
    env.reset(seed=0)
    assert env.step(env.world.A)[2]  # terminated
    env.reset()
    ends = [env.step(0)[2:4] for _ in range(env.world.T_max - 1)]
    assert ends == [(False, False)] * (env.world.T_max - 2) + [(False, True)]
    with pytest.raises(vic.UsageError, match="no action"):
        env.step(9)
    never = vic.envs.WorldEnv(vic.world("line", termination="never"))
    assert never.action_space.n == never.world.A
    with pytest.raises(vic.UsageError, match="no state 77"):
        env.reset(options={"start": 77})


def test_rewards_are_those_of_the_world():
    env = gymnasium.make("vic/rooms-35-v0").unwrapped
    rng = np.random.default_rng(0)
    paid = 0
    for seed in range(300):
        state, _ = env.reset(seed=seed)
        for _ in range(env.moves):
            after, reward, terminated, truncated, _ = env.step(int(rng.integers(env.world.A)))
            expected = env.world.step_reward + (after != state) * env.world.enter_reward[after]
            assert reward == expected
            paid += env.world.enter_reward[after] != 0 and after != state
            state = after
            if terminated or truncated:
                break
    assert paid > 0


# ---- simulated worlds


@pytest.mark.parametrize("name", ["half-cheetah", EXAMPLES / "pendulum.xml"])
def test_simulated_worlds_pass_the_checker(name):
    env = vic.envs.SimulatorEnv(vic.world(name, T=5))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # states have no bounds, and nothing is drawn
        for sentence in (".*Box observation space.*infinity.*", ".*render modes.*"):
            warnings.filterwarnings("ignore", sentence)
        check_env(env)


def test_a_simulated_episode_is_an_option(tmp_path):
    """The environment follows the options of a run to the last bit."""
    world = vic.world("half-cheetah", T=6)
    few = {"updates": 1, "warm_up": 0, "batch": 4, "hidden": 8}
    surveys = {"run.survey_options": 100, "eval.options": 100}
    run = vic.train(world, "marginal", out=tmp_path / "run", settings=surveys, **few)
    options = run.sample(3)
    env = gymnasium.make("vic/half-cheetah-v0").unwrapped
    assert env.T == 100
    env = vic.envs.SimulatorEnv(world)
    for states, actions in zip(options["states"], options["actions"]):
        state, info = env.reset()
        np.testing.assert_array_equal(state, states[0])
        assert set(info["coordinates"].values()) == {0.0}
        for t, action in enumerate(actions):
            state, reward, terminated, truncated, info = env.step(action)
            np.testing.assert_array_equal(state, states[t + 1])
            assert (reward, terminated, truncated) == (0.0, False, t == 5)
    with pytest.raises(vic.UsageError, match="takes 6 actions"):
        env.step(actions[0])
    with pytest.raises(vic.UsageError, match="no action"):
        env.step(np.full(6, 99))
    with pytest.raises(vic.UsageError, match="not simulated"):
        vic.envs.SimulatorEnv("line")
    with pytest.raises(vic.UsageError, match="is simulated"):
        vic.envs.WorldEnv("half-cheetah")


# ---- options as actions


def test_options_are_actions(tmp_path):
    """Options conditioned by the wrapper arrive as often as the oracle computes."""
    run = vic.train(
        "line", "implicit", out=tmp_path / "run", updates=300, warm_up=200, starts="all"
    )
    env = vic.envs.OptionsEnv(vic.envs.WorldEnv("line", moves=1000), run)
    assert env.action_space.n == len(env.goals) == len(run.world.final_states)
    success = {int(row["goal"]): row["success"] for row in run.reach()}
    for action in (0, len(env.goals) // 2):
        arrived = 0
        for seed in range(200):
            env.reset(seed=seed)
            state, _, terminated, truncated, info = env.step(action)
            assert info["moves"] < run.world.T_max and not terminated and not truncated
            arrived += state == env.goals[action]
        assert abs(arrived / 200 - success[env.goals[action]]) < 0.12
    # from where the last one ended
    env.reset(seed=0)
    states = [env.step(int(action))[0] for action in (0, 1, 2, 3)]
    assert all(0 <= state < run.world.S for state in states)
    with pytest.raises(vic.UsageError, match="need 9 states"):
        vic.envs.OptionsEnv(vic.envs.WorldEnv("grid"), run)


def test_moves_and_options_beside_each_other(run):
    env = vic.envs.OptionsEnv(
        vic.envs.WorldEnv("line-noisy"), run, goals=["-3", "3"], primitives=True
    )
    check_env(env, skip_render_check=True)
    A = run.world.A
    assert env.action_space.n == A + 2 and env.goals == [1, 7]
    state, _ = env.reset(seed=1)
    after, reward, _, _, way = env.step(0)
    assert way["states"] == [state, after] and way["actions"] == [0] and way["moves"] == 1
    env.reset(seed=1)
    after, reward, _, _, way = env.step(A + 1)
    assert way["states"][-1] == after and len(way["states"]) == way["moves"] + 1
    assert sum(way["rewards"]) == reward
    P = run.world.P
    for s, a, to in zip(way["states"], way["actions"], way["states"][1:]):
        assert P[s, a, to] > 0


def test_skills_are_actions(tmp_path):
    few = {"updates": 5, "warm_up": 0, "skills": 3, "starts": "all"}
    run = vic.train("line-noisy", "explicit", out=tmp_path / "run", **few)
    options = run.options()
    assert len(options) == 3 and options.goals is None
    first = options.begin(2, 0)
    np.testing.assert_array_equal(first.p, run.policy([0], skill=2))
    # for a goal, an agent with skills takes the skill that is likeliest to end there
    assert len(run.options([1, 2])) == 2


@pytest.mark.parametrize("algorithm", ["implicit", "belief"])
def test_an_execution_is_the_goal_policy(algorithm, tmp_path):
    """Drawn step by step, options arrive as often as the program computes by enumeration."""
    few = {"updates": 150, "warm_up": 100}
    run = vic.train("line", algorithm, out=tmp_path / "run", **few)
    goals = run.reach()
    env = vic.envs.OptionsEnv(vic.envs.WorldEnv("line"), run)
    for action in (0, 8):
        arrived = 0
        for seed in range(400):
            env.reset(seed=seed)
            arrived += env.step(action)[0] == env.goals[action]
        assert abs(arrived / 400 - goals["success"][action]) < 0.08


def test_eigenoptions_are_those_of_the_program(program):
    """p(s_f) of each, by following its table; the program computes I and H of the whole set."""
    theirs = json.loads(program("exact", "grid-noisy", "--eigenoptions", "16", "--json"))
    world = vic.world("grid-noisy")
    options = vic.eigenoptions(world, 16)
    P, moves = world.P, options.moves
    assert moves.shape == (16, world.T_max - 1, world.S)
    finals = []
    for table in moves:
        at, ended = np.zeros(world.S), np.zeros(world.S)
        at[world.start] = 1
        for row in table:
            stops = row == world.A
            ended += at * stops
            at = np.einsum("s,st->t", at * ~stops, P[np.arange(world.S), np.where(stops, 0, row)])
        finals.append(ended + at)
    mean = np.mean(finals, axis=0)
    H = entropy(mean)
    I = H - np.mean([entropy(p) for p in finals])
    assert theirs["H"] == pytest.approx(H, abs=1e-9)
    assert theirs["I"] == pytest.approx(I, abs=1e-9)
    with pytest.raises(vic.UsageError, match="at least 1"):
        vic.eigenoptions(world, 0)
    with pytest.raises(vic.UsageError, match="must be .options, 4, 81."):
        vic.TableOptions(world, np.zeros((1, 2, 3), dtype=np.int32))
