"""bench/peer_envpool.py, with a pool that counts in the place of EnvPool's."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[2] / "bench/peer_envpool.py"
T = 4


class Pool:
    """Environments that count their actions; one that has taken T begins anew by the next."""

    def __init__(self, environments, batch, T=T):
        self.elapsed, self.batch, self.T = np.zeros(environments, int), batch, T
        self.stepping, self.taken = [], 0

    def __len__(self):
        return len(self.elapsed)

    def reset(self):
        self.elapsed[:] = 0

    def async_reset(self):
        self.reset()
        self.stepping = list(range(len(self)))

    def send(self, step, env_id):
        assert step.shape == (self.batch, 6)
        ended = self.elapsed[env_id] == self.T
        self.elapsed[env_id] = np.where(ended, 0, self.elapsed[env_id] + 1)
        self.taken += int((~ended).sum())
        self.stepping += list(env_id)

    def recv(self):
        assert len(self.stepping) >= self.batch
        ready, self.stepping = self.stepping[: self.batch], self.stepping[self.batch :]
        return None, {"env_id": np.array(ready), "elapsed_step": self.elapsed[ready]}

    def step(self, step):
        self.send(step, np.arange(len(self)))
        return self.recv()


@pytest.fixture
def peer(monkeypatch):
    """The program, which need not find EnvPool."""
    for name in ("envpool", "envpool.mujoco", "envpool.mujoco.mujoco_gym_envpool"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    sys.modules["envpool.mujoco"].mujoco_gym_envpool = None
    spec = importlib.util.spec_from_file_location("peer_envpool", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_options_that_step_together_take_every_action(peer):
    pool = Pool(16, 16)
    assert peer.step_together(pool, np.zeros((2 * T, 16, 6)), T) == 2 * T * 16
    assert pool.taken == 2 * T * 16


def test_a_reset_in_an_option_is_noticed(peer):
    with pytest.raises(SystemExit, match="began anew before its option had ended"):
        peer.step_together(Pool(16, 16, T - 1), np.zeros((T, 16, 6)), T)


def test_resets_are_no_actions(peer):
    pool = Pool(16, 4)
    # each environment is served ten times, of which two begin an option anew
    taken = peer.step_ready(pool, np.zeros((10 * 4, 4, 6)))
    assert taken == pool.taken == 8 * 16
    assert pool.stepping == []


@pytest.mark.parametrize("options", [32, 128])
def test_ways_divide_the_options(peer, options):
    for environments, batch, _ in peer.ways(options):
        assert options % environments == 0 and environments % batch == 0
