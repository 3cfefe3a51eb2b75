"""The one exception that a person is meant to read."""


class InputError(Exception):
    """A mistake in what we were given, told in one sentence: what, where, what to do.

    Command lines print the sentence and exit with code 2; no traceback is shown.
    """
