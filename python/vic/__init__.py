"""A workbench for intrinsic control: options without reward, exact optima, measures.

    world = vic.world("line-noisy", noise=0.2)     # a name, a file, or vic.TabularWorld(P, ...)
    vic.exact(world).H_max                         # the upper bound of any agent
    run = vic.train(world, "belief", updates=2000, out="runs/mine", progress=True)
    run.H, run.D, run.N                            # coverage = control + chance, in nats
    run.reach(goal=3)                              # how often an option ends in its goal

All information is in nats. Errors are vic.Error and vic.UsageError, with the program's
messages. docs/python.md is the reference.
"""

from ._core import version as __version__
from ._commands import command, report, sweep, verdict
from ._errors import Error, UsageError, VicWarning
from ._exact import Exact, StartMap, exact, exact_map
from ._gymnasium import from_gymnasium
from ._options import Options, TableOptions, eigenoptions
from ._runs import Run, RunOptions, load, resume, train
from ._tables import TabularWorld
from ._worlds import World, world, worlds

__all__ = [
    "Error",
    "Exact",
    "Options",
    "Run",
    "RunOptions",
    "StartMap",
    "TableOptions",
    "TabularWorld",
    "UsageError",
    "VicWarning",
    "World",
    "__version__",
    "command",
    "eigenoptions",
    "exact",
    "exact_map",
    "from_gymnasium",
    "load",
    "report",
    "resume",
    "sweep",
    "train",
    "verdict",
    "world",
    "worlds",
]

try:
    from . import envs
except ImportError:
    # without Gymnasium there are no environments
    pass
else:
    envs.register()
