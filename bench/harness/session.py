"""What a workload of the benchmark is given, and what it hands back."""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Callable

from harness.launch import Build
from harness.sides import Side


@dataclasses.dataclass
class Session:
    build: Build
    scratch: pathlib.Path  # a folder of its own; files are removed as soon as they are not needed
    repeat: int
    io_ranks: int
    repeat_hopeless: bool = False  # also peers that cannot be the best one
    only: str = ""                 # cases whose label holds this
    quick: bool = False            # of each library the best setting alone, of the tables fewer cases
    best_settings: dict[tuple, list[Side]] = dataclasses.field(default_factory=dict)  # found by quick comparisons
    step: Callable[[str], None] = lambda text: None  # called before each run
    rows: list[dict] = dataclasses.field(default_factory=list)
    failures: list[str] = dataclasses.field(default_factory=list)
    peer_failures: list[str] = dataclasses.field(default_factory=list)  # their rows are left out
    not_run: list[str] = dataclasses.field(default_factory=list)

    def path(self, name: str) -> pathlib.Path:
        return self.scratch / name

    def failed(self, side: Side, text: str) -> None:
        """A peer that fails, or whose file is wrong, is told of; it says nothing against SCORPIO."""
        (self.peer_failures if side.peer else self.failures).append(f"{side.name}: {text}")

    def remove(self, name: str) -> None:
        """The file and what a broken run left beside it."""
        for path in self.scratch.glob(f"*{name}*"):
            os.unlink(path)
