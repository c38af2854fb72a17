"""The experiment on downstream use: its agent, its parts, and its published verdicts."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import vic

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import downstream  # noqa: E402
import q_learning  # noqa: E402


def corridor(reward):
    """Eleven places in a row; the last one ends the episode and pays."""
    S = 11
    P = np.zeros((S, 2, S))
    for s in range(S):
        P[s, 0, max(s - 1, 0)] = P[s, 1, min(s + 1, S - 1)] = 1
    last = np.arange(S) == S - 1
    explored = vic.TabularWorld(P, 0, 6)
    paying = vic.TabularWorld(P, 0, 6, absorbing=last, reward=last * reward, termination="never")
    return explored, paying


@pytest.mark.parametrize("options", [0, 2])
def test_the_agent_learns_the_shortest_way(options):
    explored, paying = corridor(1.0)
    moves = np.zeros((options, 5, 11), dtype=np.int32)
    moves[1:] = 1  # one option to each side
    env = vic.envs.OptionsEnv(
        vic.envs.WorldEnv(paying, moves=200), vic.TableOptions(explored, moves), primitives=True
    )
    ends, returns = q_learning.q_learning(env, 20_000, rate=0.5, initial=0.0, seed=1)
    assert ends == sorted(ends) and len(ends) == len(returns)
    best = q_learning.DISCOUNT**9
    # one choice in ten is random
    assert 0.9 * best < np.mean(returns[-100:]) <= best
    assert max(returns) == pytest.approx(best)


def test_what_is_in_reach():
    explored, _ = corridor(0.0)
    near = q_learning.in_reach(explored)
    places = np.arange(11)
    np.testing.assert_array_equal(near, np.abs(places[:, None] - places) <= 5)


def test_all_parts_work(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["downstream.py", str(tmp_path), "--quick"])
    downstream.main()
    assert "<svg" in (tmp_path / "downstream.svg").read_text()
    document = json.loads((tmp_path / "verdict.json").read_text())
    assert {one["verdict"] for one in document["claims"]} == {"undecided"}  # one seed
    (tmp_path / "kept" / "downstream").mkdir(parents=True)
    kept = tmp_path / "kept" / "downstream" / "verdict.json"
    kept.write_text((tmp_path / "verdict.json").read_text())
    vic.command("report", kept.parent, "--claims", tmp_path / "claims.md")
    assert downstream.CLAIMS[0].text in (tmp_path / "claims.md").read_text()


def test_the_verdicts_are_about_the_claims_as_they_stand():
    path = ROOT / "docs" / "verdicts" / "downstream" / "verdict.json"
    published = json.loads(path.read_text())["claims"]
    expected = []
    for claim in downstream.CLAIMS:
        for task in claim.tasks:
            known = claim.at_least is not None
            bound = f"at least {claim.at_least}" if known else f"at most {claim.at_most}"
            expected.append((claim.text, task, f"{claim.measure} minus that of {claim.versus}", bound))
    assert [(one["text"], one["group"], one["measure"], one["wanted"]) for one in published] == expected
    assert {one["seeds"] for one in published} == {5}


def test_verdicts_of_numbers_of_ones_own():
    words = {"text": "more than one", "measure": "x", "at_least": 1}
    found = vic.verdict({1: 2.0, 2: 2.1, 3: 1.9}, **words)
    assert (found["verdict"], found["seeds"], found["wanted"]) == ("holds", 3, "at least 1")
    # Student's interval of three numbers, by hand
    half = 4.302652729911275 * np.std([2.0, 2.1, 1.9], ddof=1) / np.sqrt(3)
    assert found["low"] == pytest.approx(2 - half, abs=1e-4)
    assert vic.verdict({1: 0.0, 2: 0.1, 3: -0.1}, **words)["verdict"] == "refuted"
    assert vic.verdict({1: 0.0, 2: 2.0}, **words)["verdict"] == "undecided"
    with pytest.raises(vic.UsageError, match="no bound"):
        vic.verdict({1: 0.0}, text="", measure="x")
