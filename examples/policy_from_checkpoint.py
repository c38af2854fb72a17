#!/usr/bin/python3
"""Evaluates pi_p of a run with NumPy alone, from checkpoint.safetensors.

    vic export RUN --policy -o policy.npz
    examples/policy_from_checkpoint.py RUN policy.npz

prints the largest difference between its probabilities and those of vic, over all histories of the
world. docs/checkpoint.md describes the layout. Runs in tables whose policy reads its history and
nothing else: all algorithms but explicit, diayn and open-loop.
"""

import json
import struct
import sys

import numpy as np


def read_safetensors(path):
    """The tensors by name, and the metadata."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    metadata = header.pop("__metadata__", {})
    types = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "U64": "<u8"}
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        numbers = np.frombuffer(data[begin:end], dtype=types[entry["dtype"]])
        tensors[name] = numbers.reshape(entry["shape"]).astype(np.float64)
    return tensors, metadata


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Policy:
    """pi_p(a | tau), fed one step at a time."""

    def __init__(self, run, state_lookup, state_numbers, actions):
        tensors, metadata = read_safetensors(run + "/checkpoint.safetensors")
        self.w = {name[5:]: t for name, t in tensors.items() if name.startswith("pi_p/")}
        self.sticky = float(metadata["settings.train.sticky_action_logit"])
        self.lookup, self.numbers = state_lookup, state_numbers
        self.actions = actions  # with termination
        self.moves = actions - 1
        self.hidden = self.w["lstm.W_h"].shape[0]

    def begin(self, state):
        zero = np.zeros(self.hidden)
        return self.step((zero, zero, None), None, state)

    def step(self, memory, action, state):
        """The memory after an action, None at the start, has led to a state."""
        h, c, _ = memory
        w = self.w
        # the table has a row for each move, and behind them those that the state looks up
        x = h @ w["lstm.W_h"] + w["lstm.b"][0]
        if action is not None:
            x = x + w["lstm.table"][action]
        for row in self.lookup[state]:
            x = x + w["lstm.table"][self.moves + row]
        x = x + self.numbers[state] @ w["lstm.numbers"]
        i, f, g, o = np.split(x, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        return sigmoid(o) * np.tanh(c), c, action

    def probabilities(self, memory):
        h, _, last = memory
        w = self.w
        features = np.tanh(h @ w["hidden.W"] + w["hidden.b"][0])
        # outputs are padded; the first are the moves and termination
        logits = (features @ w["out.W"] + w["out.b"][0])[: self.actions]
        if last is not None:
            logits[last] += self.sticky
        p = np.exp(logits - logits.max())
        return p / p.sum()


def main():
    run, exported = sys.argv[1:3]
    table = np.load(exported)
    actions = len(table["action_names"])
    policy = Policy(run, table["state_lookup"], table["state_numbers"], actions)
    memories, worst = [], 0.0
    # parents come before their children
    for row in range(len(table["t"])):
        parent, action, state = (int(table[k][row]) for k in ("parent", "action", "state"))
        if parent < 0:
            memory = policy.begin(state)
        else:
            memory = policy.step(memories[parent], action, state)
        memories.append(memory)
        worst = max(worst, float(np.abs(policy.probabilities(memory) - table["pi_p"][row]).max()))
    print(f"{len(memories)} histories, largest difference {worst:.1e}")
    return 0 if worst < 1e-6 else 1


if __name__ == "__main__":
    sys.exit(main())
