"""Commands of the program, from Python."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _core
from ._errors import UsageError
from ._runs import Run
from ._settings import text_of
from ._worlds import World


def command(*arguments: str | os.PathLike[str], progress: bool = False) -> str:
    """Runs a command of the program in this process and returns what it writes to stdout.

    command("exact", "line-noisy", "--json") is `vic exact line-noisy --json`. Its output on
    stderr is shown with `progress`, and an error is an exception.
    """
    if not arguments:
        raise UsageError('vic.command needs a command, as in vic.command("worlds").')
    return _core.command([os.fspath(one) for one in arguments], progress)


def sweep(
    world: str | os.PathLike[str] | World,
    over: Mapping[str, Iterable[Any]] | None = None,
    *,
    seeds: int | Sequence[int] = 1,
    algorithm: str | Sequence[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    settings: Mapping[str, Any] | None = None,
    progress: bool = False,
) -> list[Run]:
    """Trains a world over settings and seeds, or the runs of an experiment file, as vic sweep does.

    `over` maps a setting to its values, {"train.lambda": [0, 0.5, 1]}; `seeds` is a number or a
    list. Returns the runs of the folder `out`, in the order of their names.
    """
    folder = Path(os.fspath(out)) if out is not None else Path("runs", _name(world) + "-sweep")
    words: list[str] = ["sweep", *_source(world, folder), "--out", str(folder)]
    for key, values in (over or {}).items():
        texts = [text_of(value) for value in values]
        comma = ";" if any("," in text for text in texts) else ","
        words += ["--over", f"{key}={comma.join(texts)}"]
    if isinstance(world, World) or not os.fspath(world).endswith(".toml") or over:
        listed = (
            "".join(f"{text_of(seed)}," for seed in seeds) if not isinstance(seeds, int) else ""
        )
        words += ["--seeds", listed or str(seeds)]
    if algorithm is not None:
        chosen = [algorithm] if isinstance(algorithm, str) else algorithm
        words += ["--algorithm", ",".join(chosen)]
    if jobs is not None:
        words += ["--jobs", str(jobs)]
    for key, value in (settings or {}).items():
        words += ["--set", f"{key}={text_of(value)}"]
    command(*words, "--json", progress=progress)
    return [Run(one) for one in sorted(folder.iterdir()) if (one / "settings.toml").exists()]


def report(
    runs: Iterable[Run | str | os.PathLike[str]] | str | os.PathLike[str],
    *,
    page: str | os.PathLike[str] | None = None,
    csv: str | os.PathLike[str] | None = None,
    svg: str | os.PathLike[str] | None = None,
    title: str | None = None,
) -> Any:
    """Runs as a table, the document of vic report --json; writes a page of HTML, a CSV file and
    figures as SVG if they are named."""
    if isinstance(runs, (str, os.PathLike)):
        runs = [runs]
    words = ["report", *(one.folder if isinstance(one, Run) else os.fspath(one) for one in runs)]
    for flag, value in {"--out": page, "--csv": csv, "--svg": svg, "--title": title}.items():
        if value is not None:
            words += [flag, os.fspath(value)]
    return json.loads(command(*words, "--json"))


def verdict(
    by_seed: Mapping[int, float],
    *,
    text: str,
    measure: str,
    group: str = "",
    algorithm: str = "",
    versus: str = "",
    at_least: float | None = None,
    at_most: float | None = None,
) -> dict[str, Any]:
    """Whether a claim about numbers of your own, one per seed, holds, is refuted or undecided.

    Decided as those of an experiment are (docs/experiments.md): by Student's 95 % interval of the
    mean. Returns an object of verdict.json; vic report --claims reads a folder with a
    file of that name that contains {"title": ..., "claims": [...]}. With `versus` the numbers are
    differences.
    """
    words = (text, measure, versus, group, algorithm)
    return dict(json.loads(_core.verdict(*words, at_least, at_most, dict(by_seed))))


def _name(world: str | os.PathLike[str] | World) -> str:
    return world.name if isinstance(world, World) else Path(os.fspath(world)).stem


def _source(world: str | os.PathLike[str] | World, folder: Path) -> list[str]:
    """A world as words of a command; a table from Python is written beside the runs."""
    if not isinstance(world, World):
        return [os.fspath(world)]
    core = world._core
    name = core.source
    if core.text:
        folder.mkdir(parents=True, exist_ok=True)
        name = str(folder / core.source)
        Path(name).write_text(core.text)
    return [name, *(word for key, value in core.settings for word in ("--set", f"{key}={value}"))]
