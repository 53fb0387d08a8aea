"""What the random programs on netCDF-4 files have in common: the elements of a put, the types with their fill values, lists of
steps that a program carries out, and turns of SCORPIO and netCDF-C on the same files."""

import os
import subprocess
import tempfile

import numpy

TYPES = {"i1": -9, "i2": -700, "i4": -70000, "f4": -1.5, "f8": 1e30}
_BATCH, _TURNS = 50, 4


def elements(put, shape, kind):
    count = int(numpy.prod(shape, dtype=int))
    return ((7 * put + numpy.arange(count)) % 100).reshape(shape).astype(kind)


def run_steps(program, ranks, lists, folder, environment=None):
    """Carries out the lists of steps, by number, in one run."""
    files = []
    for number, lines in lists.items():
        files.append(os.path.join(folder, f"{number}.steps"))
        with open(files[-1], "w", encoding="ascii") as out:
            out.write("\n".join(lines) + "\n")
    if files:
        subprocess.run(
            [os.environ["SCORPIO_MPIRUN"], "-n", ranks, program, *files], check=True, env=os.environ | (environment or {})
        )


def check_by_tools(case, tools, check):
    """Each tool accepts the file; `check` is called for what a tool makes of it."""
    for tool, *out in tools:
        target = [case.path + "." + tool] if out else []
        done = subprocess.run([tool, case.path, *target], capture_output=True, check=False)
        assert done.returncode == 0, (case.number, tool, done.stderr)
        if target:
            os.replace(target[0], case.path)
            check(case)


def take_turns(first, last, make_case, ours, theirs, run, check, check_at_end):
    """Cases of these numbers: SCORPIO (`ours`) and netCDF-C (`theirs`) change each file in turn. `check` gets all cases after
    each turn, `check_at_end` each one after the last."""
    for batch in range(first, last + 1, _BATCH):
        with tempfile.TemporaryDirectory() as folder:
            cases = [make_case(number, folder) for number in range(batch, min(batch + _BATCH, last + 1))]
            for turn in range(_TURNS):
                lists = {}
                for case in cases:
                    executor = ours() if case.ours_begin == (turn % 2 == 0) else theirs()
                    case.turn(executor, turn == 0)
                    if isinstance(executor, ours):
                        lists[case.number] = executor.lines
                run(lists, folder)
                check(cases, folder)
            for case in cases:
                check_at_end(case)
