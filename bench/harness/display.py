"""Progress and tables on a terminal; plain text without rich, and where the output is no terminal."""

from __future__ import annotations

import contextlib
import itertools
import sys

try:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.table import Table
except ImportError:
    Console = None

_PLAIN_WIDTH = 240  # of tables that go to a file


@contextlib.contextmanager
def progress(title: str, steps: int):
    """Yields a function step(text) to be called before each of `steps` steps; without a terminal a line each."""
    if Console is None or not sys.stdout.isatty():
        numbers = itertools.count(1)
        yield lambda text: print(f"[{next(numbers)}/{steps}] {text}", file=sys.stderr, flush=True)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
               TextColumn("{task.fields[now]}"))
    with Progress(*columns, transient=True) as bar:
        task = bar.add_task(title, total=steps, now="")
        begun = 0

        def step(text: str) -> None:
            nonlocal begun
            bar.update(task, completed=begun, now=text)
            begun += 1

        yield step


def show_table(title: str, header: list[str], rows: list[list[str]]) -> None:
    """First column left, the others right."""
    if Console is None:
        _show_plain(title, header, rows)
        return
    table = Table(title=title, title_justify="left")
    for i, name in enumerate(header):
        table.add_column(name, justify="left" if i == 0 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else _PLAIN_WIDTH).print(table)


def _show_plain(title: str, header: list[str], rows: list[list[str]]) -> None:
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    print(title)
    for row in [header, *rows]:
        print("  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))))


def number(value: float | None, form: str = ".2f") -> str:
    return "" if value is None else format(value, form)
