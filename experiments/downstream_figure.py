"""The figure of experiments/downstream.py: the mean over the seeds, and from the least to the most."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

LABELS = {
    "primitive": "moves alone",
    "optimistic": "moves alone, optimistic",
    "eigenoptions": "with eigenoptions (map known)",
    "implicit": "with options of implicit VIC",
    "explicit": "with explicit skills",
}
COLOURS = ("#888888", "#333333", "#c77d00", "#0b62a4", "#2e8b57")


def draw(
    results: dict[str, dict[str, list[dict[str, Any]]]], points: int, width: int, path: Path
) -> None:
    """Curves over the steps of the task, `points` of `width` steps, and with the steps before it."""
    figure, axes = plt.subplots(2, len(results), figsize=(9, 6.4), layout="constrained")
    for column, (name, kinds) in enumerate(results.items()):
        for (kind, runs), colour in zip(kinds.items(), COLOURS):
            curves = np.array([one["curve"] for one in runs])
            before = float(np.mean([one["before"] for one in runs]))
            for row, shift, chosen in ((0, 0.0, curves[:, :points]), (1, before, curves)):
                # a long curve has as many points as a short one
                every = -(-chosen.shape[1] // points)
                usable = chosen[:, : chosen.shape[1] // every * every]
                means = usable.reshape(len(runs), -1, every).mean(axis=2)
                x = shift + (np.arange(means.shape[1]) + 1) * every * width
                axis = axes[row, column]
                axis.plot(x, means.mean(axis=0), color=colour, label=LABELS[kind])
                low, high = means.min(axis=0), means.max(axis=0)
                axis.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
        axes[0, column].set(title=name, xlabel="environment steps of the task")
        axes[1, column].set(xlabel="environment steps, training included", xscale="log")
        for row in range(2):
            axes[row, column].set_ylabel("discounted return")
    axes[0, 0].legend(frameon=False, fontsize=8)
    figure.savefig(path, metadata={"Date": None})
