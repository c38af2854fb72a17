#!/usr/bin/env python3
"""The peer that vic's speed is compared with: variational intrinsic control in PyTorch.

The straightforward program for the paper's three algorithms: a vectorised rollout, nn.LSTM over
padded batches, heads and losses on them under a mask, torch.optim.Adam, float32, one thread, vic's
default shapes and hyper-parameters. Needs Debian's python3-torch and libopenblas0-pthread.

With --gather-heads the steps that were taken are gathered before the heads, which then run on those
alone, as one would do after profiling the program: it is 1.0 to 1.3 times as fast for implicit and
transition, and 1.3 to 2.5 times for mixture, whose head is the most work per step.

    python3 bench/peer.py --world line-noisy --algorithm transition --updates 200 --seed 1 --json
    python3 bench/peer.py --world line-noisy --algorithm transition --updates 4000 \
        --until 0.99 --h-max 2.19398
    python3 bench/peer.py --world rooms-35 --algorithm mixture --options-length 14

The first prints updates per second, the median over blocks of 20 updates after the warm-up; per
second of the process's own time, too, for a machine that is busy with something else. The second
prints the seconds of training until H(s_f) is 0.99 of H_max, evaluations not counted. The third
measures long options without hours of training: fixed biases on the policy's logits (--stop-bias,
--right-bias) keep it from terminating and spread it to the right, and the program fails where the
options of the timed updates have fewer moves than that on average.

T_max counts actions, the termination included. Where only termination is left (the T_max-th
action, a room of rooms-35) its probability is 1 under every model: it adds nothing to the reward.

The warm-up trains all models but the policy: poor hindsight models punish rare s_f. 20 updates do
for speed; to learn line-noisy give `transition` 100, `mixture` 600, `implicit` 1000 of them.
"""

import argparse
import json
import math
import os
import statistics
import sys
import time

# torch.set_num_threads does not reach OpenBLAS, whose pool is made when it is loaded
os.environ["OPENBLAS_NUM_THREADS"] = "1"

try:
    import torch
    from torch import nn
except ImportError:  # bench/peer_jax.py takes the worlds and the measurements, and no more
    torch = nn = None

HIDDEN = 64
BATCH = 128
N_GMM = 10
SIGMA = 0.25
T_SMOOTH = 128
LEARNING_RATE = 1e-3
WEIGHT_STD = 0.1
BASELINE_RATE = 0.05  # step of the running mean b(s_0)
BLOCK = 20  # updates timed together
EVALUATE_EVERY, EVALUATION_OPTIONS = 50, 20_000


class World:
    """A table, from outcomes[s][a] = [(successor, probability), ...]."""

    def __init__(self, T_max, s_0, outcomes, coordinates, absorbing=()):
        self.T_max, self.s_0 = T_max, s_0
        self.S, self.A = len(outcomes), len(outcomes[0])
        K = max(len(o) for row in outcomes for o in row)
        self.next = torch.zeros(self.S, self.A, K, dtype=torch.long)
        p = torch.zeros(self.S, self.A, K, dtype=torch.double)
        for s, row in enumerate(outcomes):
            for a, pairs in enumerate(row):
                for k, (successor, probability) in enumerate(pairs):
                    self.next[s, a, k], p[s, a, k] = successor, probability
        # the last column is not needed: a number above all others means the last outcome
        self.cumulated = p.cumsum(-1)[..., :-1].float()
        self.coordinates = torch.tensor(coordinates, dtype=torch.float)  # (S, d)
        self.absorbing = torch.zeros(self.S, dtype=torch.bool)
        self.absorbing[list(absorbing)] = True

    def step(self, s, a):
        k = (torch.rand(len(s), 1) >= self.cumulated[s, a]).sum(-1)
        return self.next[s, a, k]


def table(T_max, s_0, outcomes, coordinates, absorbing=()):
    return locals()


def map_world(T_max, lines, start, moves, chances):
    """A table of cells, as World takes it; chances(a): list of (dx, dy, p). '#' is a wall, 'R'
    absorbs."""
    cells = [(x, y) for y, line in enumerate(lines) for x, c in enumerate(line) if c != "#"]
    number = {cell: s for s, cell in enumerate(cells)}
    reach = lambda x, y, dx, dy: number.get((x + dx, y + dy), number[x, y])
    outcomes = [
        [[(reach(x, y, dx, dy), p) for dx, dy, p in chances(a)] for a in range(moves)]
        for x, y in cells
    ]
    rooms = [s for s, (x, y) in enumerate(cells) if lines[y][x] == "R"]
    coordinates = cells if len(lines) > 1 else [[x] for x, _ in cells]
    return table(T_max, number[start], outcomes, coordinates, rooms)


def line_world(noise):
    steps = [(-1, 0), (1, 0)]
    chances = lambda a: [(*steps[a], 1 - noise), (*steps[1 - a], noise)]
    return map_world(5, ["." * 9], (4, 0), 2, chances)


def grid_world(noise):
    steps = [(-1, 0), (0, -1), (1, 0), (0, 1)]
    chances = lambda a: [(*d, 1 - noise if i == a else noise / 3) for i, d in enumerate(steps)]
    return map_world(5, ["." * 9] * 9, (4, 4), 4, chances)


def rooms_world():
    steps = [(0, -1), (0, 1), (1, 0)]  # up, down, right
    lines = ["." * 15 if y % 2 == 0 else ".#R" * 5 for y in range(15)]
    return map_world(25, lines, (0, 6), 3, lambda a: [(*steps[a], 0.7), (0, 0, 0.3)])


def tree_world(stay, swap):
    depth, outcomes, coordinates = 3, [], []
    for i in range(15):
        level = (i + 1).bit_length() - 1
        place = i + 1 - (1 << level)
        coordinates.append([(place + 0.5) * 2 ** (depth - level) - 0.5, level])
        left, right = (2 * i + 1, 2 * i + 2) if level < depth else (i, i)
        go_right = [(left, (1 - stay) * swap), (right, (1 - stay) * (1 - swap)), (i, stay)]
        outcomes.append([[(left, 1 - stay), (i, stay)], go_right])
    return table(4, 0, outcomes, coordinates)


WORLDS = {
    "line": lambda: line_world(0.0),
    "line-noisy": lambda: line_world(0.3),
    "grid": lambda: grid_world(0.0),
    "grid-noisy": lambda: grid_world(0.3),
    "tree": lambda: tree_world(0.0, 0.0),
    "tree-noisy": lambda: tree_world(0.2, 0.75),
    "rooms-35": rooms_world,
}


class SequenceModel(nn.Module if nn else object):
    """An LSTM over tau = (previous action, state)_t; a head on h and on what conditions it."""

    def __init__(self, inputs, condition, outputs):
        super().__init__()
        self.lstm = nn.LSTM(inputs, HIDDEN)
        self.hidden = nn.Linear(HIDDEN + condition, HIDDEN)
        self.output = nn.Linear(HIDDEN, outputs)
        for name, parameter in self.named_parameters():
            nn.init.normal_(parameter, 0.0, 0.0 if "bias" in name else WEIGHT_STD)

    def head(self, features):
        return self.output(torch.tanh(self.hidden(features)))


def log_choice(logits, chosen):
    return torch.log_softmax(logits, -1).gather(-1, chosen.unsqueeze(-1)).squeeze(-1)


def log_mixture(out, x):
    """log f(x) of x (N, M, d) up to a constant, which cancels in log f^q - log f^p: (N, M)."""
    N, M, d = x.shape
    log_w = torch.log_softmax(out[:, :N_GMM], -1)  # (N, n_gmm)
    mu = out[:, N_GMM:].view(N, 1, N_GMM, d)
    squares = (x.unsqueeze(2) - mu).square().sum(-1)  # (N, M, n_gmm)
    return torch.logsumexp(log_w.unsqueeze(1) - squares / (2 * SIGMA**2), -1)


class Learner:
    def __init__(self, world, algorithm, stop_bias, right_bias, gather_heads, learning_rate):
        self.world, self.algorithm, self.gather_heads = world, algorithm, gather_heads
        S, A, d = world.S, world.A, world.coordinates.shape[1]
        outputs = {"transition": S, "mixture": N_GMM * (1 + d)}.get(algorithm)
        self.models = {"pi_p": SequenceModel(A + S, 0, A + 1)}
        self.models["pi_q"] = SequenceModel(A + S, S, A + 1)
        if outputs:
            self.models["rho_p"] = SequenceModel(A + S, A, outputs)
            self.models["rho_q"] = SequenceModel(A + S, A + S, outputs)
        parameters = [model.parameters() for model in self.models.values()]
        self.optimizers = [torch.optim.Adam(p, lr=learning_rate) for p in parameters]
        self.logit_bias = torch.zeros(A + 1)
        self.logit_bias[A], self.logit_bias[A - 1] = -stop_bias, right_bias
        self.baseline = 0.0
        # rows of an identity matrix are one-hot vectors, in float and without a scatter
        self.one_hot_s = torch.eye(S)
        self.one_hot_a = torch.eye(A + 1)[:, :A]  # termination, and no action yet: zeros

    def rollout(self, B):
        """B options, padded to the longest: (T, B, ...) each, and s_f (B).

        Ended options run on under a mask. The logits keep their graph for the policy gradient,
        which saves the update a second pass through pi_p.
        """
        world, pi_p, stop = self.world, self.models["pi_p"], self.world.A
        s, a = torch.full((B,), world.s_0), torch.full((B,), stop)
        choosing = torch.ones(B, dtype=torch.bool)
        memory, steps = None, []
        # at the T_max-th action only termination is left
        for _ in range(world.T_max - 1):
            x = torch.cat([self.one_hot_a[a], self.one_hot_s[s]], -1)
            h, memory = pi_p.lstm(x.unsqueeze(0), memory)
            logits = pi_p.head(h[0]) + self.logit_bias
            a = torch.multinomial(torch.softmax(logits.detach(), -1), 1).squeeze(1)
            moving = choosing & (a != stop)
            s_next = torch.where(moving, world.step(s, a.clamp(max=stop - 1)), s)
            steps.append((x, s, a, s_next, logits, choosing, moving))
            s, choosing = s_next, moving & ~world.absorbing[s_next]
            if not choosing.any():
                break
        return (*(torch.stack(parts) for parts in zip(*steps)), s)

    def rows(self, mask):
        """Numbers of the rows that a head is needed for, and their weights."""
        mask = mask.flatten()
        rows = mask.nonzero().squeeze(1) if self.gather_heads else torch.arange(len(mask))
        return rows, mask[rows].float()

    def predict(self, name, x, rows, *condition):
        """A model's outputs at these rows of a padded batch x (T, B, inputs)."""
        model = self.models[name]
        h = model.lstm(x)[0].flatten(0, 1)[rows]
        return model.head(torch.cat([h, *condition], -1))

    def update(self, train_policy=True):
        """One update of every model (of the policy where train_policy); the batch's mean moves."""
        x, s, a, s_next, logits, choosing, moving, s_f = self.rollout(BATCH)
        s, a, s_next = s.flatten(), a.flatten(), s_next.flatten()  # (T * B)

        # actions: wherever there was a choice
        rows, weight = self.rows(choosing)
        option = rows % BATCH
        goal = self.one_hot_s[s_f[option]]
        log_p = weight * log_choice(logits.flatten(0, 1)[rows], a[rows])
        log_q = weight * log_choice(self.predict("pi_q", x, rows, goal), a[rows])
        reward = torch.zeros(BATCH).index_add(0, option, (log_q - log_p).detach())
        loss = -log_q.sum()

        # transitions: wherever there was a move
        if self.algorithm != "implicit":
            rows, weight = self.rows(moving)
            action, goal = self.one_hot_a[a[rows]], self.one_hot_s[s_f[rows % BATCH]]
            out_p = self.predict("rho_p", x, rows, action)
            out_q = self.predict("rho_q", x, rows, action, goal)
            if self.algorithm == "transition":
                log_f_p, log_f_q = log_choice(out_p, s_next[rows]), log_choice(out_q, s_next[rows])
                fit = log_f_p + log_f_q
            else:
                place = self.world.coordinates
                delta = (place[s_next[rows]] - place[s[rows]]).unsqueeze(1)  # (N, 1, d)
                # the reward is without noise, and both models are fitted to the same samples
                log_f_p, log_f_q = (log_mixture(o.detach(), delta)[:, 0] for o in (out_p, out_q))
                noisy = delta + SIGMA * torch.randn(len(rows), T_SMOOTH, delta.shape[-1])
                fit = log_mixture(out_p, noisy).mean(1) + log_mixture(out_q, noisy).mean(1)
            reward.index_add_(0, rows % BATCH, (weight * (log_f_q - log_f_p)).detach())
            loss = loss - (weight * fit).sum()

        # policy gradient with baseline b(s_0), maximum likelihood for the others
        advantage = reward - self.baseline
        self.baseline += BASELINE_RATE * advantage.mean().item()
        if train_policy:
            loss = loss - (advantage[option] * log_p).sum()
        (loss / BATCH).backward()
        for optimizer in self.optimizers:
            optimizer.step()  # leaves out what has no gradient: the policy in the warm-up
            optimizer.zero_grad(set_to_none=True)
        return moving.sum().item() / BATCH

    def updates(self, n, train_policy):
        """Mean moves of an option in n updates."""
        return sum(self.update(train_policy) for _ in range(n)) / n

    def entropy(self):
        """H(s_f) in nats from sampled options, with Miller and Madow's correction."""
        with torch.no_grad():
            s_f = torch.cat([self.rollout(EVALUATION_OPTIONS // 10)[-1] for _ in range(10)])
        counts = torch.bincount(s_f).double()
        counts = counts[counts > 0]
        p = counts / counts.sum()
        return (-(p * p.log()).sum() + (len(p) - 1) / (2 * counts.sum())).item()


def timed(learner, updates, train_policy):
    """Wall seconds, seconds of this process, and moves per option, over this many updates."""
    wall, own = time.perf_counter(), time.process_time()
    moves = learner.updates(updates, train_policy) if updates else 0
    return time.perf_counter() - wall, time.process_time() - own, moves


def measure_speed(learner, updates, warm_up):
    timed(learner, warm_up, train_policy=False)
    blocks = [timed(learner, BLOCK, train_policy=True) for _ in range(max(1, updates // BLOCK))]
    wall, own, moves = zip(*blocks)
    return {
        "updates_per_second": BLOCK / statistics.median(wall),
        "updates_per_own_second": BLOCK / statistics.median(own),
        "mean_moves": statistics.fmean(moves),
    }


def measure_until(learner, updates, warm_up, target):
    """Seconds of training until H(s_f) >= target; null where it was not reached."""
    wall, own, _ = timed(learner, warm_up, train_policy=False)
    done, H = warm_up, 0.0
    while done < updates and H < target:
        spent = timed(learner, EVALUATE_EVERY, train_policy=True)
        wall, own, done = wall + spent[0], own + spent[1], done + EVALUATE_EVERY
        H = learner.entropy()
        print(f"update {done}  H {H:.4f}  target {target:.4f}  {wall:.1f} s", file=sys.stderr)
    if H < target:
        wall = own = None
    return {"seconds_until": wall, "own_seconds_until": own, "updates_until": done, "H": H}


def make_learner(arguments, stop_bias, right_bias):
    if torch is None:
        sys.exit("PyTorch is not there: install python3-torch, as ./vic bench --peer does.")
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    world = World(**WORLDS[arguments.world]())
    shape = (arguments.algorithm, stop_bias, right_bias, arguments.gather_heads)
    return Learner(world, *shape, arguments.learning_rate)


def blas():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return "openblas" if "openblas" in maps.read() else "other"


def main(make, library, description):
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=description, formatter_class=raw)
    option = parser.add_argument
    option("--world", choices=WORLDS, required=True)
    option("--algorithm", choices=["implicit", "transition", "mixture"], required=True)
    option("--updates", type=int, default=200, help="updates timed; with --until, at most")
    option("--seed", type=int, default=1)
    option("--warm-up", type=int, default=20, help="updates before the policy learns, too")
    option("--until", type=float, help="train until H(s_f) is this fraction of --h-max")
    option("--h-max", type=float, help="the world's H_max in nats")
    option("--stop-bias", type=float, help="subtracted from the policy's logit of termination")
    option("--right-bias", type=float, help="added to the policy's logit of the last move")
    option("--options-length", type=float, help="rooms-35: biases for options with this many moves")
    option("--gather-heads", action="store_true", help="run the heads on taken steps only (faster)")
    option("--learning-rate", type=float, default=LEARNING_RATE, help="1e-9: the policy stays")
    option("--json", action="store_true", help="one line of JSON")
    arguments = parser.parse_args()
    if (arguments.until is None) != (arguments.h_max is None):
        parser.error("--until and --h-max need each other")

    long_options = arguments.options_length is not None
    learner = make(
        arguments,
        arguments.stop_bias if arguments.stop_bias is not None else 6.0 * long_options,
        arguments.right_bias if arguments.right_bias is not None else 1.5 * long_options,
    )
    result = {k: getattr(arguments, k) for k in ("world", "algorithm", "seed", "updates")}
    result["library"] = library()
    if arguments.until is None:
        result |= measure_speed(learner, arguments.updates, arguments.warm_up)
    else:
        target = arguments.until * arguments.h_max
        result |= measure_until(learner, arguments.updates, arguments.warm_up, target)
    if arguments.json:
        print(json.dumps(result))
    else:
        for key, value in result.items():
            print(f"{key:24}{value:.4g}" if isinstance(value, float) else f"{key:24}{value}")
    if long_options and result.get("mean_moves", math.inf) < arguments.options_length:
        sys.exit(f"options have {result['mean_moves']:.1f} moves, not {arguments.options_length}")


if __name__ == "__main__":
    main(make_learner, blas, __doc__)
