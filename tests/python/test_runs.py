"""Training and runs: the bytes of the program, progress, Ctrl-C, and the methods of a run."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import FEW

import vic

FILES = ["metrics.jsonl", "evaluation.json", "checkpoint.safetensors", "settings.toml"]


def assert_same(ours, theirs):
    for file in FILES:
        assert Path(ours, file).read_bytes() == Path(theirs, file).read_bytes(), file


def test_the_bytes_are_those_of_the_program(program, run, tmp_path):
    words = ["--algorithm", "implicit", "--updates", "20", "--set", "train.warm_up=10"]
    program("train", "line-noisy", *words, "--out", tmp_path / "theirs")
    assert_same(run.folder, tmp_path / "theirs")
    assert run.H == pytest.approx(run.D + run.N)
    assert run.finished and run.update == run.updates == 30
    assert (run.algorithm, run.seed) == ("implicit", 1)
    assert run.settings["train"]["warm_up"] == 10


def test_a_table_from_python_is_a_world_file_to_the_program(program, tmp_path):
    P = np.array([[[0.5, 0.5], [0, 1]], [[1, 0], [0, 1]]])
    world = vic.TabularWorld(P, 0, 3, name="coin", reward=[0, 1])
    run = vic.train(world, "transition", out=tmp_path / "ours", **FEW)
    (tmp_path / "coin.toml").write_bytes(Path(run.folder, "world.toml").read_bytes())
    words = ["--algorithm", "transition", "--updates", "20", "--set", "train.warm_up=10"]
    program("train", "coin.toml", *words, "--out", "theirs", cwd=tmp_path)
    assert_same(run.folder, tmp_path / "theirs")
    np.testing.assert_array_equal(vic.load(run.folder).world.P, P)
    assert "coin" in program("report", run.folder)


def test_progress_is_called_and_may_stop(run, tmp_path):
    seen = []
    stopped = vic.train(
        "line-noisy",
        "implicit",
        out=tmp_path / "run",
        every=6,
        progress=lambda *now: seen.append(now) or now[0] < 18,
        **FEW,
    )
    assert [now[:2] for now in seen] == [(6, 30), (12, 30), (18, 30)]
    assert not stopped.finished and stopped.update == 18
    assert stopped.H > 0  # measured as it is
    assert vic.resume(stopped).finished
    assert_same(run.folder, stopped.folder)


def test_a_bar_ends_at_the_end(tmp_path, capsys):
    vic.train("line", "marginal", out=tmp_path / "run", progress=True, updates=20, warm_up=0)
    assert "20/20" in capsys.readouterr().err


def test_an_error_of_the_progress_comes_out(tmp_path):
    def fails(*_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        vic.train("line", "implicit", out=tmp_path / "run", progress=fails, **FEW)


INTERRUPTED = """
import signal, sys, vic

def interrupt(update, updates, I_hat):
    if update == 7:
        signal.raise_signal(signal.SIGINT)

try:
    vic.train("line-noisy", "implicit", updates=20, warm_up=10, out=sys.argv[1], every=1,
              progress=interrupt)
except KeyboardInterrupt:
    sys.exit(42)
"""


def test_ctrl_c_saves_and_raises(run, tmp_path):
    code = subprocess.run([sys.executable, "-c", INTERRUPTED, tmp_path / "run"]).returncode
    assert code == 42
    resumed = vic.resume(tmp_path / "run")
    assert resumed.finished
    assert_same(run.folder, resumed.folder)


def test_ctrl_c_ends_the_oracle():
    # a signal in the middle of minutes of work
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        vic.exact("grid-noisy", gap=1e-12, budget=1e15)
    timer.join()


def test_two_threads_train_at_once(run, tmp_path):
    def work(name):
        vic.train("line-noisy", "implicit", out=tmp_path / name, **FEW)

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert_same(run.folder, tmp_path / "a")
    assert_same(run.folder, tmp_path / "b")


def test_metrics_are_a_structured_array(run):
    metrics = run.metrics
    assert metrics["update"].tolist() == [10, 20, 30]
    assert np.isfinite(metrics["I_hat"]).all()


def test_sampled_options_are_histories(run):
    options = run.sample(200, seed=3)
    P, T = run.world.P, run.world.T_max
    assert options["states"].shape == options["actions"].shape == (200, T)
    for states, actions, length, s_f in zip(
        options["states"], options["actions"], options["length"], options["s_f"]
    ):
        assert actions[length - 1] == run.world.A and states[length - 1] == s_f
        for t in range(length - 1):
            assert P[states[t], actions[t], states[t + 1]] > 0
    again = run.sample(200, seed=3)
    np.testing.assert_array_equal(options["reward"], again["reward"])


@pytest.mark.parametrize("algorithm", ["implicit", "belief", "marginal", "explicit"])
def test_the_policy_is_that_of_the_table(algorithm, tmp_path):
    """One history after another, and all of them together as the program exports them."""
    run = vic.train(
        "line-noisy", algorithm, out=tmp_path / "run", settings={"world.T_max": 3}, **FEW
    )
    table = run.policy_table()
    conditioned = {"skill": 0} if algorithm == "explicit" else {}
    for row in range(len(table["t"])):
        states, actions, at = [], [], row
        while at >= 0:
            states.insert(0, int(table["state"][at]))
            if table["parent"][at] >= 0:
                actions.insert(0, int(table["action"][at]))
            at = table["parent"][at]
        p = run.policy(states, actions, **conditioned)
        assert p.sum() == pytest.approx(1)
        if algorithm != "explicit":
            np.testing.assert_allclose(p, table["pi_p"][row], atol=1e-6)
        if "pi_q" in table:
            for g, goal in enumerate(table["goals"]):
                q = run.policy(states, actions, goal=int(goal))
                np.testing.assert_allclose(q, table["pi_q"][g, row], atol=1e-6)
    if algorithm == "explicit":
        # an observer sees the mean over the skills, which are drawn uniformly
        skills = run.settings["train"]["skills"]
        mean = sum(run.policy([run.world.start], skill=k) for k in range(skills)) / skills
        np.testing.assert_allclose(mean, table["pi_p"][0], atol=1e-6)


def test_goals_are_reached_as_the_policy_says(run):
    everywhere = run.reach()
    assert everywhere["goal"].tolist() == run.world.final_states.tolist()
    assert (everywhere["success"] <= everywhere["best"] + 1e-9).all()
    goal = int(everywhere["goal"][3])
    one = run.reach(goal=goal)
    assert one["success"][0] == pytest.approx(everywhere["success"][3])
    attempts = [run.attempt(goal, seed=seed) for seed in range(300)]
    share = np.mean([one["reached"] for one in attempts])
    assert abs(share - one["success"][0]) < 0.12
    assert all((a["states"][-1] == goal) == a["reached"] for a in attempts)


@pytest.mark.parametrize(
    ("history", "sentence"),
    [
        (([], []), "one state more than actions"),
        (([4, 3], []), "one state more than actions"),
        (([99], []), "There is no state 99"),
        (([4, 3], [7]), "There is no move 7"),
        (([4, 8], [0]), "does not lead from"),
        (([3], []), "begin in 0"),
        (([4, 3, 4, 3, 4, 3], [0, 1, 0, 1, 0]), "at most 5 actions"),
    ],
)
def test_wrong_histories_are_sentences(run, history, sentence):
    with pytest.raises(vic.UsageError, match=sentence):
        run.policy(*history)


def test_wrong_uses_are_sentences(run, tmp_path):
    for call, sentence in [
        (lambda: vic.train("line", "implict"), "implict"),
        (lambda: vic.train(), "needs a world"),
        (lambda: vic.train("line", hiden=3), "train.hiden"),
        (lambda: vic.train("line", every=0, progress=print), "every=0"),
        (lambda: vic.train("line", progress=3), "progress is"),
        (lambda: vic.train("line-noisy", out=run.folder), "has a run|already"),
        (lambda: vic.load(tmp_path), "no run|settings.toml"),
        (lambda: vic.resume(tmp_path), "no run|settings.toml"),
        (lambda: run.sample(0), "0 options"),
        (lambda: run.policy([4], goal="99"), "99"),
        (lambda: run.policy([4], goal=99), "There is no state 99"),
        (lambda: run.policy([4], skill=1), "has none"),
        (lambda: run.policy([4], temperature=-1), "temperature"),
        (lambda: run.reach("left"), "left"),
        (lambda: vic.command(), "needs a command"),
        (lambda: vic.command("tran"), "train"),
        (lambda: vic.command("train", "--seed"), "seed"),
    ]:
        with pytest.raises(vic.UsageError, match=sentence):
            call()
    assert not Path("runs").exists()


def test_a_sweep_trains_all(tmp_path):
    runs = vic.sweep(
        "line-noisy",
        {"train.lambda": [0, 1]},
        seeds=2,
        algorithm="belief",
        out=tmp_path / "sweep",
        settings={"train.updates": 10, "train.warm_up": 0},
    )
    assert len(runs) == 4
    assert sorted((run.settings["train"]["lambda"], run.seed) for run in runs) == [
        (0, 1),
        (0, 2),
        (1, 1),
        (1, 2),
    ]
    table = vic.report(runs, page=tmp_path / "page.html", csv=tmp_path / "runs.csv")
    assert "<html" in (tmp_path / "page.html").read_text()
    assert len((tmp_path / "runs.csv").read_text().splitlines()) == 5
    assert table


def test_a_sweep_of_a_table_from_python(tmp_path):
    world = vic.TabularWorld(np.array([[[0.5, 0.5]], [[1, 0]]]), 0, 3, name="swing")
    runs = vic.sweep(
        world, seeds=[3], out=tmp_path / "sweep", settings={"train.updates": 5, "train.warm_up": 0}
    )
    assert [(run.seed, run.world.name) for run in runs] == [(3, "swing")]
