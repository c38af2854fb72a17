"""What vic raises: sentences that name the value at fault and the remedy."""


class Error(RuntimeError):
    """Something that should have worked did not: exit code 1 of the program."""


class UsageError(Error, ValueError):
    """What is wanted cannot be, a wrong name, value, shape or file: exit code 2 of the program."""


class VicWarning(UserWarning):
    """Something was wrong and did not end the work, as the program says on stderr."""
