"""The functions of the package, for type checkers: _functions.pyi, which the build writes from the option table, has their signatures."""

from tada._calls import advise, anonymize, apply, attack, audit, compare, compose, decode, evaluate, inspect

__all__ = ["advise", "anonymize", "apply", "attack", "audit", "compare", "compose", "decode", "evaluate", "inspect"]
