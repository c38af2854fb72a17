"""Shared by the tests of the package."""

import os
import subprocess

import pytest

import vic

FEW = {"updates": 20, "warm_up": 10}


@pytest.fixture(scope="session")
def program():
    """Runs the program, which must succeed, and returns what it writes."""

    def run(*words, cwd=None):
        done = subprocess.run([os.environ["VIC"], *words], capture_output=True, text=True, cwd=cwd)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """A small run of implicit VIC."""
    out = tmp_path_factory.mktemp("runs") / "line"
    return vic.train("line-noisy", "implicit", out=out, **FEW)
