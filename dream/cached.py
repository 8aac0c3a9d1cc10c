"""A property that is computed once for each instance, without a lock that all instances share.

That of functools holds one until Python 3.12, so that the nights of one process waited for each other's models.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801  # it stands in the place of functools.cached_property
    """Computes a value when it is first read, and keeps it in the instance; two threads of one instance may both."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        """Take how the value is computed."""
        self._compute = compute
        self._name = ""
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn under which name the value is kept."""
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> Self | T:
        """Return the value; the next time it is found in the instance, and nobody asks here."""
        if instance is None:
            return self
        value = self._compute(instance)
        instance.__dict__[self._name] = value
        return value
