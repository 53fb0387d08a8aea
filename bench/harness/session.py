"""What a workload of the benchmark is given, and what it hands back."""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Callable

from harness.launch import Build


@dataclasses.dataclass
class Session:
    build: Build
    scratch: pathlib.Path  # a folder of its own; files are removed as soon as they are not needed
    repeat: int
    io_ranks: int
    repeat_hopeless: bool = False  # also peers that cannot be the best one
    only: str = ""                 # cases whose label holds this
    step: Callable[[str], None] = lambda text: None  # called before each run
    rows: list[dict] = dataclasses.field(default_factory=list)
    failures: list[str] = dataclasses.field(default_factory=list)
    not_run: list[str] = dataclasses.field(default_factory=list)

    def path(self, name: str) -> pathlib.Path:
        return self.scratch / name

    def remove(self, name: str) -> None:
        """The file and what a broken run left beside it."""
        for path in self.scratch.glob(f"*{name}*"):
            os.unlink(path)
