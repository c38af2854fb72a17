"""The package is typed: mypy finds nothing, and the stub of the module matches the module."""

import ast
import subprocess
import sys
from pathlib import Path

import vic
from vic import _core

ROOT = Path(__file__).parents[2]


def test_mypy_finds_nothing():
    # its cache makes the second time short
    words = ["--strict", "--cache-dir", ROOT / "build" / "mypy", "-p", "vic"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words], cwd=ROOT / "python", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def names(parts):
    """Classes with their members, functions and variables of a stub."""
    out = {}
    for part in parts:
        if isinstance(part, ast.ClassDef):
            out[part.name] = set(names(part.body))
        elif isinstance(part, ast.FunctionDef):
            out[part.name] = None
        elif isinstance(part, ast.AnnAssign):
            out[part.target.id] = None
    return out


def test_the_stub_has_what_the_module_has():
    stub = names(ast.parse((ROOT / "python/vic/_core.pyi").read_text()).body)
    there = {name for name in vars(_core) if not name.startswith("__")}
    assert there == set(stub)
    for name, members in stub.items():
        if members is not None:
            own = {one for one in vars(getattr(_core, name)) if not one.startswith("_")}
            assert own == members - {"__init__"}, name


def test_everything_public_is_documented():
    for name in vic.__all__:
        one = getattr(vic, name)
        assert name == "__version__" or one.__doc__, name
        for member, what in vars(one).items() if isinstance(one, type) else []:
            if callable(what) and not member.startswith("_"):
                assert what.__doc__, f"{name}.{member}"
