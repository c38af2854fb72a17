"""The exceptions of vic: sentences that name the value at fault and the remedy."""


class Error(RuntimeError):
    """Something that should have worked did not: exit code 1 of the program."""


class UsageError(Error, ValueError):
    """An impossible request, a wrong name, value, shape or file: exit code 2 of the program."""


class VicWarning(UserWarning):
    """A problem that did not end the work; the program reports it on stderr."""
