#!/usr/bin/env python3
"""EnvPool's HalfCheetah-v4, which vic's simulation is compared with.

    pip install envpool==1.2.5    # in an environment whose Python vic bench --envpool is given
    python bench/peer_envpool.py --actions 100 --options 128 --threads 1

Options of random actions, 5 levels per motor, drawn before anything is timed. Resets are timed, but
do not count as actions; all begin in the same state, as vic's do. -v4 has the model of -v3 and -v5,
and leaves out the forces that -v5 computes after every action.

Prints a line of JSON: for each way of using EnvPool the actions taken, the seconds of the process,
user and system, and those by the clock. Synchronously all environments take an action together;
asynchronously those that are ready do, half or an eighth of them. Threads may be bound to cores.
"""

import argparse
import ctypes
import json
import sys
import time

try:
    import envpool
    import numpy as np
    from envpool.mujoco import mujoco_gym_envpool
except ImportError:
    sys.exit(f"{sys.executable} has no EnvPool: pip install envpool==1.2.5")

MOTORS, LEVELS = 6, np.linspace(-1, 1, 5)


def ways(options):
    """Environments, how many of them a batch has, and whether threads are bound to cores."""
    few = min(16, options)
    for bound in (False, True):
        yield from [(few, few, bound), (options, options, bound), (options, options // 2, bound)]
    yield options, options // 8, False


def step_together(pool, actions, T):
    """All environments take an action at once, and begin anew after T of them."""
    for t, step in enumerate(actions):
        if t % T == 0:
            pool.reset()
        *_, info = pool.step(step)
    if (info["elapsed_step"] != t % T + 1).any():
        sys.exit("an environment began anew before its option had ended")
    return actions.shape[0] * actions.shape[1]


def step_ready(pool, actions):
    """Those that are ready take the next actions; where an option has ended they begin anew."""
    waiting, taken, stepping = iter(actions), 0, len(pool)
    pool.async_reset()
    while stepping > 0:
        *_, info = pool.recv()
        # what began anew took no action
        taken += int((info["elapsed_step"] > 0).sum())
        stepping -= actions.shape[1]
        if (step := next(waiting, None)) is not None:
            pool.send(step, info["env_id"])
            stepping += actions.shape[1]
    return taken


def measure(arguments, actions, environments, batch, bound):
    pool = envpool.make(
        "HalfCheetah-v4",
        env_type="gymnasium",
        num_envs=environments,
        batch_size=batch,
        num_threads=arguments.threads,
        thread_affinity_offset=0 if bound else -1,
        max_episode_steps=arguments.actions,
        frame_skip=5,
        reset_noise_scale=0.0,
    )
    together = batch == environments
    actions = actions.reshape(-1, batch, MOTORS)

    def step(some):
        return step_together(pool, some, arguments.actions) if together else step_ready(pool, some)

    # memory and threads are there before anything is timed
    step(actions[:10])
    wall, own = time.perf_counter(), time.process_time()
    taken = step(actions)
    own, wall = time.process_time() - own, time.perf_counter() - wall
    way = f"{environments}, together" if together else f"{environments}, {batch} at a time"
    way += ", bound" if bound else ""
    return {"way": way, "actions": taken, "processor": own, "wall": wall}


def main():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--actions", type=int, default=100, help="of an option")
    parser.add_argument("--options", type=int, default=128, help="a multiple of 16")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    generator = np.random.default_rng(1)
    actions = generator.choice(LEVELS, (arguments.actions * arguments.options, MOTORS))
    mujoco = ctypes.CDLL(mujoco_gym_envpool.__file__).mj_versionString
    mujoco.restype = ctypes.c_char_p
    measured = [measure(arguments, actions, *way) for way in ways(arguments.options)]
    versions = {"envpool": envpool.__version__, "mujoco": mujoco().decode()}
    print(json.dumps(versions | {"ways": measured}))


if __name__ == "__main__":
    main()
