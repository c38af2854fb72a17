"""The notebook runs from top to bottom, and draws what it claims to."""

import json
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

NOTEBOOK = Path(__file__).parents[2] / "examples" / "first_look.ipynb"


def test_the_notebook_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    scope = {"__name__": "__main__"}
    figures = 0
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "the notebook is kept without its outputs"
        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), scope)
        figures += len(plt.get_fignums())
        plt.close("all")
    assert figures == 4
    said = capsys.readouterr().out
    assert "H_max 2.1940" in said and "D_max 1.2636" in said
    exact, runs = scope["exact"], scope["runs"]
    for run in runs.values():
        assert run.H <= exact.H_max + exact.H_max_gap and run.D <= exact.D_max + 1e-6
    # each has more of what it maximises
    assert runs["implicit"].D > runs["transition"].D
    assert runs["transition"].H > runs["implicit"].H
    assert np.nanmax(scope["starts"].on_map()) <= np.log(16)
