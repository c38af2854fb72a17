"""Files of a run, read by the libraries that others use."""

import json
from pathlib import Path

import numpy as np
import pandas
import pytest
import safetensors
import safetensors.numpy
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import vic


def test_safetensors_opens_checkpoints(run):
    path = Path(run.folder, "checkpoint.safetensors")
    tensors = safetensors.numpy.load_file(path)
    assert all(np.isfinite(array).all() for array in tensors.values())
    with safetensors.safe_open(path, framework="np") as file:
        assert file.metadata()["settings.train.algorithm"] == "implicit"
        assert set(file.keys()) == set(tensors)


def test_tensorboard_reads_the_events(run):
    events = EventAccumulator(run.folder)
    events.Reload()
    tags = events.Tags()["scalars"]
    metrics = run.metrics
    assert {tag.split("/")[-1] for tag in tags} >= {"reward", "I_hat"}
    tag = next(tag for tag in tags if tag.endswith("I_hat"))
    scalars = events.Scalars(tag)
    assert [one.step for one in scalars] == metrics["update"].tolist()
    # events have 32 bits
    np.testing.assert_allclose([one.value for one in scalars], metrics["I_hat"], rtol=1e-6)


def test_pandas_takes_the_metrics_and_the_csv(run, tmp_path):
    frame = pandas.DataFrame(run.metrics)
    assert frame["update"].tolist() == [10, 20, 30]
    vic.report([run], csv=tmp_path / "runs.csv")
    table = pandas.read_csv(tmp_path / "runs.csv")
    assert table["H"][0] == pytest.approx(run.H, abs=1e-6)
    lines = pandas.read_json(Path(run.folder, "metrics.jsonl"), lines=True, precise_float=True)
    assert lines["I_hat"].tolist() == frame["I_hat"].tolist()


def test_numpy_loads_the_exports(run, tmp_path):
    vic.command("export", run.folder, "--options", "50", "-o", tmp_path / "options.npz")
    loaded, sampled = np.load(tmp_path / "options.npz"), run.sample(50)
    assert set(loaded) == set(sampled)
    for name, values in sampled.items():
        np.testing.assert_array_equal(loaded[name], values)


def test_json_of_an_evaluation(run):
    text = json.loads(vic.command("eval", run.folder, "--json"))
    assert text["H"] == pytest.approx(run.H)
