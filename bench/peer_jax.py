#!/usr/bin/env python3
"""The peer once more, as a modern program: JAX on one core, float32, compiled by XLA.

The algorithms, shapes and hyper-parameters of bench/peer.py. Twenty updates are one compiled
program: a scan over updates, in each a scan over the steps of the rollout, and the gradient through
both. One-hot inputs are looked up as rows of the weights.

With --gather-heads the number of steps is known before the gradient: the rollout ends with its
longest option, the LSTMs run up to there, and the heads on the steps that were taken. Shapes are
rounded up, so that few programs are compiled; an update is then two calls, and pi_p runs twice.

    pip install jax==0.10.2       # in an environment whose Python vic bench --jax is given
    python bench/peer_jax.py --world line-noisy --algorithm transition --updates 200 --json

Options and output are those of bench/peer.py; compilation is not counted.
"""

import os
import sys

# one core, before XLA looks how many there are
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

from functools import partial

try:
    import jax
    import jax.numpy as jnp
    from jax import lax, random
except ImportError:
    sys.exit(f"{sys.executable} has no JAX: pip install jax==0.10.2")

import peer

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_default_prng_impl", "rbg")  # the faster generator

H, B = peer.HIDDEN, peer.BATCH


class World:
    """A table as arrays."""

    def __init__(self, T_max, s_0, outcomes, coordinates, absorbing=()):
        self.T_max, self.s_0, self.S, self.A = T_max, s_0, len(outcomes), len(outcomes[0])
        K = max(len(o) for row in outcomes for o in row)
        pad = lambda o: o + [(o[-1][0], 0.0)] * (K - len(o))
        self.next = jnp.array([[[s for s, _ in pad(o)] for o in row] for row in outcomes])
        p = jnp.array([[[p for _, p in pad(o)] for o in row] for row in outcomes])
        self.cumulated = jnp.cumsum(p, -1)[..., :-1]
        self.coordinates = jnp.array(coordinates, jnp.float32)
        self.absorbing = jnp.zeros(self.S, bool).at[jnp.array(list(absorbing), int)].set(True)

    def step(self, s, a, u):
        k = (u[:, None] >= self.cumulated[s, a]).sum(-1)
        return self.next[s, a, k]


def make_model(key, world, action, goal, outputs):
    """Weights of a model; the last row of a table of actions, for no action, stays zero."""
    shapes = {"W_a": (world.A, 4 * H), "W_s": (world.S, 4 * H), "W_h": (H, 4 * H), "W": (H, H)}
    shapes |= {"W_out": (H, outputs)}
    shapes |= {"H_a": (world.A, H)} if action else {}
    shapes |= {"H_s": (world.S, H)} if goal else {}
    keys = random.split(key, len(shapes))
    model = {n: peer.WEIGHT_STD * random.normal(k, s) for k, (n, s) in zip(keys, shapes.items())}
    return model | {"b": jnp.zeros(4 * H), "b_h": jnp.zeros(H), "b_out": jnp.zeros(outputs)}


def look_up(table, i):
    return jnp.concatenate([table, jnp.zeros_like(table[:1])])[i]


def inputs(model, a, s):
    return look_up(model["W_a"], a) + model["W_s"][s] + model["b"]


def cell(model, x, memory):
    h, c = memory
    i, f, g, o = jnp.split(x + h @ model["W_h"], 4, -1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return h, c


def encode(model, a, s):
    """h (T, B, H) of histories whose last action and state are a and s (T, B)."""
    step = lambda memory, x: (lambda new: (new, new[0]))(cell(model, x, memory))
    zero = jnp.zeros((B, H))
    return lax.scan(step, (zero, zero), inputs(model, a, s))[1]


def head(model, h, a=None, goal=None):
    x = h @ model["W"] + model["b_h"]
    x = x + look_up(model["H_a"], a) if a is not None else x
    x = x + model["H_s"][goal] if goal is not None else x
    return jnp.tanh(x) @ model["W_out"] + model["b_out"]


def log_choice(logits, chosen):
    return jnp.take_along_axis(jax.nn.log_softmax(logits), chosen[:, None], 1)[:, 0]


def log_mixture(out, x):
    """log f(x) of x (N, M, d) up to a constant, which cancels in log f^q - log f^p: (N, M)."""
    N, _, d = x.shape
    log_w = jax.nn.log_softmax(out[:, : peer.N_GMM])
    mu = out[:, peer.N_GMM :].reshape(N, 1, peer.N_GMM, d)
    squares = jnp.square(x[:, :, None] - mu).sum(-1)
    return jax.nn.logsumexp(log_w[:, None] - squares / (2 * peer.SIGMA**2), -1)


class Learner:
    def __init__(self, world, algorithm, stop_bias, right_bias, gather_heads, learning_rate, seed):
        self.world, self.algorithm, self.gather_heads = world, algorithm, gather_heads
        self.rate, A, d = learning_rate, world.A, world.coordinates.shape[1]
        self.outputs = {"transition": world.S, "mixture": peer.N_GMM * (1 + d)}.get(algorithm)
        self.bias = jnp.zeros(A + 1).at[A].set(-stop_bias).at[A - 1].set(right_bias)
        self.begin_anew(seed)

    def begin_anew(self, seed):
        *keys, self.key = random.split(random.key(seed), 5)
        make = lambda key, action, goal, n: make_model(key, self.world, action, goal, n)
        models = {"pi_p": make(keys[0], False, False, self.world.A + 1)}
        models["pi_q"] = make(keys[1], False, True, self.world.A + 1)
        if self.outputs:
            models["rho_p"] = make(keys[2], True, False, self.outputs)
            models["rho_q"] = make(keys[3], True, True, self.outputs)
        zeros = lambda: jax.tree.map(jnp.zeros_like, models)
        start = {"b": jnp.zeros(()), "steps": jnp.zeros(())}
        self.state = {"models": models, "mean": zeros(), "square": zeros()} | start

    def rollout_step(self, model, carry, key):
        """One step of all options; those that have ended run on under a mask."""
        world, stop = self.world, self.world.A
        s, a, memory, choosing = carry
        last = a
        h, c = cell(model, inputs(model, a, s), memory)
        logits = head(model, h) + self.bias
        k_action, k_world = random.split(key)
        a = random.categorical(k_action, lax.stop_gradient(logits))
        moving = choosing & (a != stop)
        u = random.uniform(k_world, s.shape)
        s_next = jnp.where(moving, world.step(s, jnp.minimum(a, stop - 1), u), s)
        going = moving & ~world.absorbing[s_next]
        return (s_next, a, (h, c), going), (s, last, a, s_next, logits, choosing, moving)

    def begin(self, n):
        world, zero = self.world, jnp.zeros((n, H))
        return (jnp.full(n, world.s_0), jnp.full(n, world.A), (zero, zero), jnp.ones(n, bool))

    def rollout(self, model, key, n=B):
        """All steps that there can be: (T, n, ...) each, and s_f (n)."""
        step = partial(self.rollout_step, model)
        end, steps = lax.scan(step, self.begin(n), random.split(key, self.world.T_max - 1))
        return steps, end[0]

    def short_rollout(self, model, key):
        """The same until no option goes on, and how many steps that took and were taken."""
        T, keys = self.world.T_max - 1, random.split(key, self.world.T_max - 1)
        shapes = jax.eval_shape(self.rollout_step, model, self.begin(B), keys[0])[1]
        steps = jax.tree.map(lambda x: jnp.zeros((T, *x.shape), x.dtype), shapes)

        def body(loop):
            t, carry, steps = loop
            carry, new = self.rollout_step(model, carry, keys[t])
            return t + 1, carry, jax.tree.map(lambda all_, x: all_.at[t].set(x), steps, new)

        going = lambda loop: (loop[0] < T) & loop[1][3].any()
        t, end, steps = lax.while_loop(going, body, (0, self.begin(B), steps))
        return steps, end[0], t, steps[5].sum()

    def rows(self, mask, N):
        """Numbers of the rows that a head is needed for, and their weights."""
        mask = mask.reshape(-1)
        if N is None:
            return jnp.arange(mask.size), mask.astype(jnp.float32)
        rows = jnp.nonzero(mask, size=N, fill_value=0)[0]
        return rows, (jnp.arange(N) < mask.sum()).astype(jnp.float32)

    def loss(self, models, steps, s_f, b, key, N, train_policy):
        """The loss that all models descend, and the mean advantage."""
        s, last, a, s_next, logits, choosing, moving = steps
        flat = lambda x: x.reshape(-1, *x.shape[2:])
        rows, weight = self.rows(choosing, N)
        option = rows % B
        h_q = flat(encode(models["pi_q"], last, s))
        log_p = weight * log_choice(flat(logits)[rows], flat(a)[rows])
        out = head(models["pi_q"], h_q[rows], goal=s_f[option])
        log_q = weight * log_choice(out, flat(a)[rows])
        reward = jnp.zeros(B).at[option].add(log_q - log_p)
        loss = -log_q.sum()
        if self.algorithm != "implicit":
            at, taken = self.rows(moving, N)
            action, goal = flat(a)[at], s_f[at % B]
            out_p = head(models["rho_p"], flat(encode(models["rho_p"], last, s))[at], action)
            out_q = head(models["rho_q"], flat(encode(models["rho_q"], last, s))[at], action, goal)
            if self.algorithm == "transition":
                to = flat(s_next)[at]
                log_f_p, log_f_q = log_choice(out_p, to), log_choice(out_q, to)
                fit = log_f_p + log_f_q
            else:
                place = self.world.coordinates
                delta = (place[flat(s_next)[at]] - place[flat(s)[at]])[:, None]
                log_f_p, log_f_q = (log_mixture(o, delta)[:, 0] for o in (out_p, out_q))
                noise = random.normal(key, (at.size, peer.T_SMOOTH, delta.shape[-1]))
                noisy = delta + peer.SIGMA * noise
                fit = log_mixture(out_p, noisy).mean(1) + log_mixture(out_q, noisy).mean(1)
            reward = reward.at[at % B].add(taken * (log_f_q - log_f_p))
            loss = loss - (taken * fit).sum()
        advantage = lax.stop_gradient(reward) - b
        if train_policy:
            loss = loss - (advantage[option] * log_p).sum()
        return loss / B, (advantage.mean(), moving.sum() / B)

    def adam(self, state, gradient, aux, train_policy):
        steps = state["steps"] + 1
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["mean"], gradient)
        square = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, state["square"], gradient)
        move = self.rate * jnp.sqrt(1 - 0.999**steps) / (1 - 0.9**steps)
        step = lambda x, m, v: x - move * m / (jnp.sqrt(v) + 1e-8)
        models = jax.tree.map(step, state["models"], mean, square)
        if not train_policy:
            models["pi_p"] = state["models"]["pi_p"]
        b = state["b"] + peer.BASELINE_RATE * aux[0]
        return {"models": models, "mean": mean, "square": square, "b": b, "steps": steps}

    @partial(jax.jit, static_argnums=(0, 3), donate_argnums=1)
    def padded_updates(self, state, keys, train_policy):
        def update(state, key):
            k_roll, k_noise = random.split(key)

            def loss(models):
                steps, s_f = self.rollout(models["pi_p"], k_roll)
                return self.loss(models, steps, s_f, state["b"], k_noise, None, train_policy)

            gradient, aux = jax.grad(loss, has_aux=True)(state["models"])
            return self.adam(state, gradient, aux, train_policy), aux[1]

        return lax.scan(update, state, keys)

    @partial(jax.jit, static_argnums=0)
    def sample(self, state, key):
        return self.short_rollout(state["models"]["pi_p"], key)

    @partial(jax.jit, static_argnums=(0, 5, 6, 7), donate_argnums=1)
    def learn(self, state, steps, s_f, key, T, N, train_policy):
        s, last, a, s_next, _, choosing, moving = (x[:T] for x in steps)

        def loss(models):
            logits = head(models["pi_p"], encode(models["pi_p"], last, s)) + self.bias
            taken = (s, last, a, s_next, logits, choosing, moving)
            return self.loss(models, taken, s_f, state["b"], key, N, train_policy)

        gradient, aux = jax.grad(loss, has_aux=True)(state["models"])
        return self.adam(state, gradient, aux, train_policy), aux[1]

    def gathered_update(self, key, train_policy):
        k_roll, k_noise = random.split(key)
        steps, s_f, t, taken = self.sample(self.state, k_roll)
        up = lambda n, step: -(-int(n) // step) * step
        T = min(up(t, 4), self.world.T_max - 1)
        N = min(up(taken, 128), T * B)
        self.state, moves = self.learn(self.state, steps, s_f, k_noise, T, N, train_policy)
        return float(moves)

    def updates(self, n, train_policy):
        """Mean moves of an option in n updates."""
        self.key, key = random.split(self.key)
        keys = random.split(key, n)
        if self.gather_heads:
            return sum(self.gathered_update(key, train_policy) for key in keys) / n
        self.state, moves = self.padded_updates(self.state, keys, train_policy)
        return float(moves.mean())

    @partial(jax.jit, static_argnums=0)
    def final_states(self, model, key):
        return self.rollout(model, key, peer.EVALUATION_OPTIONS // 10)[1]

    def entropy(self):
        """H(s_f) in nats from sampled options, with Miller and Madow's correction."""
        self.key, *keys = random.split(self.key, 11)
        model = self.state["models"]["pi_p"]
        s_f = jnp.concatenate([self.final_states(model, key) for key in keys])
        counts = jnp.bincount(s_f, length=self.world.S)
        counts = counts[counts > 0]
        p = counts / counts.sum()
        return float(-(p * jnp.log(p)).sum() + (len(p) - 1) / (2 * counts.sum()))


def make_learner(arguments, stop_bias, right_bias):
    world = World(**peer.WORLDS[arguments.world]())
    shape = (arguments.algorithm, stop_bias, right_bias, arguments.gather_heads)
    learner = Learner(world, *shape, arguments.learning_rate, arguments.seed)
    # compile before anything is timed
    for train_policy in (False, True):
        learner.updates(peer.BLOCK, train_policy)
    if arguments.until:
        learner.updates(peer.EVALUATE_EVERY, train_policy=True)
        learner.updates(arguments.warm_up, train_policy=False)
    learner.begin_anew(arguments.seed)
    return learner


if __name__ == "__main__":
    peer.main(make_learner, lambda: f"jax {jax.__version__}", __doc__)
