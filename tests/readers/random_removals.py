"""random_removals.py STEPS FIRST LAST RANKS: for each number from FIRST to LAST a random program on one HDF5 file: variables of
all forms are defined, put and removed, by STEPS (removals.c) and by h5py in turn, in files with each strategy for free
space. Calls of SCORPIO are synchronous, asynchronous or posted. After each turn all readers read all that was put. Exit
code 77: a module or tool is not there."""

import os
import random
import shutil
import sys

steps_program, first, last, ranks = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
try:
    import h5py
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)
from random_steps import TYPES, check_by_tools, elements, run_steps, take_turns  # noqa: E402

TOOLS = [["ncdump"], ["h5dump"], ["h5repack", "OUT"]]
if not all(shutil.which(tool[0]) for tool in TOOLS):
    sys.exit(77)

FORMS = ["plain", "plain", "chunks", "deflate", "fletcher32"]
STRATEGIES = [
    {},
    {"fs_strategy": "fsm", "fs_persist": True},
    {"fs_strategy": "fsm", "fs_persist": True, "fs_threshold": 100},
    {"fs_strategy": "fsm"},
    {"fs_strategy": "fsm", "fs_persist": True, "libver": ("v110", "v110")},
    {"fs_strategy": "aggregate"},
    {"fs_strategy": "none"},
]
WAYS = [
    {},
    {"SCORPIO_ASYNCHRONOUS": "true"},
    {"SCORPIO_ASYNCHRONOUS": "true", "SCORPIO_CLOSE": "post"},
    {"SCORPIO_ASYNCHRONOUS": "true", "SCORPIO_CLOSE": "post", "SCORPIO_SYNC": "post"},
]
if int(ranks) > 1:
    WAYS += [{"SCORPIO_NODES": "2"}, {"SCORPIO_NODES": "2", "SCORPIO_ASYNCHRONOUS": "true", "SCORPIO_CLOSE": "post"}]


class Variable:
    def __init__(self, name, draw, ours):
        self.name = name
        self.form = draw.choice(FORMS + (["records"] if ours else []))
        self.kind = draw.choice(list(TYPES))
        self.shape = [draw.randrange(1, 40), draw.choice([3, 30, 200])]
        self.chunk = [draw.randrange(1, n + 1) for n in self.shape]
        self.array = None

    def put(self, put, rows):
        array = elements(put, [rows, self.shape[1]], self.kind)
        if self.array is not None and len(self.array) > rows:
            array = numpy.concatenate([array, self.array[rows:]])
        self.array = array


class Case:
    def __init__(self, number, folder):
        self.draw = random.Random(number)
        self.number = number
        self.path = os.path.join(folder, f"{number}.nc")
        self.variables = {}
        self.puts = 0
        self.names = 0
        self.ours_begin = self.draw.random() < 0.4

    def turn(self, executor, begin):
        executor.begin(self, begin)
        for _ in range(self.draw.randrange(4, 12)):
            self.step(executor)
        executor.end()

    def step(self, executor):
        what = self.draw.random()
        if what < 0.15:
            executor.sync()
        elif what < 0.4 and self.variables:
            name = self.draw.choice(list(self.variables))
            del self.variables[name]
            executor.remove(name)
        elif what < 0.55 and self.variables:
            self.put(executor, self.draw.choice(list(self.variables.values())))
        else:
            gone = [f"v{i}" for i in range(self.names) if f"v{i}" not in self.variables]
            name = self.draw.choice(gone) if gone and self.draw.random() < 0.5 else f"v{self.names}"
            self.names = max(self.names, int(name[1:]) + 1)
            variable = self.variables[name] = Variable(name, self.draw, isinstance(executor, Ours))
            executor.define(variable)
            self.put(executor, variable)

    def put(self, executor, variable):
        self.puts += 1
        rows = variable.shape[0]
        if variable.form == "records" and isinstance(executor, Ours):
            rows = self.draw.randrange(1, rows + 1)
        variable.put(self.puts, rows)
        executor.put(variable, self.puts, rows)

    def check(self, name, got, variable):
        expected = variable.array
        assert numpy.array_equal(got, expected), (
            f"case {self.number}, {name} of {variable.name}, {variable.form} {variable.shape}:\n{got}\nnot\n{expected}"
        )


class Ours:
    """Writes the steps of a turn to a text file."""

    def begin(self, case, begin):
        self.draw = case.draw
        self.lines = [f"create {case.path} {case.draw.choice(['hdf5', 'netcdf4'])}" if begin else f"open {case.path}"]

    def define(self, variable):
        self.lines.append(" ".join(map(str, ["variable", variable.name, variable.kind, variable.form, *variable.shape, *variable.chunk])))

    def put(self, variable, put, rows):
        ways = {"records": ["post"], "plain": ["put"]}  # without an address a variable takes no requests
        way = self.draw.choice(ways.get(variable.form, ["put", "post"]))
        self.lines.append(f"{way} {variable.name} {put} {rows}")

    def remove(self, name):
        self.lines.append(f"remove {name}")

    def sync(self):
        self.lines.append("sync")

    def end(self):
        self.lines.append("close")


class Theirs:
    def begin(self, case, begin):
        self.file = h5py.File(case.path, "w", **case.draw.choice(STRATEGIES)) if begin else h5py.File(case.path, "r+")

    def define(self, variable):
        properties = {"deflate": {"compression": "gzip", "shuffle": True}, "fletcher32": {"fletcher32": True}}
        chunks = None if variable.form == "plain" else tuple(variable.chunk)
        self.file.create_dataset(
            variable.name, tuple(variable.shape), variable.kind, chunks=chunks, **properties.get(variable.form, {})
        )

    def put(self, variable, put, rows):
        dataset = self.file[variable.name]
        if variable.form == "records" and len(dataset) < rows:
            dataset.resize(rows, axis=0)
        dataset[:rows] = elements(put, [rows, variable.shape[1]], variable.kind)

    def remove(self, name):
        del self.file[name]

    def sync(self):
        self.file.flush()

    def end(self):
        self.file.close()


def run(lists, folder):
    for i, way in enumerate(WAYS):
        run_steps(steps_program, ranks, {n: lines for n, lines in lists.items() if n % len(WAYS) == i}, folder, way)


def check_by_hdf5(case):
    with h5py.File(case.path) as file:
        held = {name for name, dataset in file.items() if name[0] == "v"}
        assert held == set(case.variables), (case.number, held, case.variables.keys())
        for variable in case.variables.values():
            case.check("h5py", file[variable.name][...], variable)


def check_by_ours(cases, folder):
    run_steps(
        steps_program,
        ranks,
        {
            case.number: [f"open {case.path}"]
            + [f"dump {name} {case.path}.{name}" for name in case.variables]
            + ["close"]
            for case in cases
        },
        folder,
    )
    for case in cases:
        for variable in case.variables.values():
            got = numpy.fromfile(f"{case.path}.{variable.name}").reshape(-1, variable.shape[1])
            case.check("SCORPIO", got[: len(variable.array)], variable)


def check_by_netcdf(case):
    with netCDF4.Dataset(case.path) as file:
        file.set_auto_mask(False)
        for variable in case.variables.values():
            case.check("netCDF-C", file[variable.name][: len(variable.array)], variable)


def check(cases, folder):
    for case in cases:
        check_by_hdf5(case)
    check_by_ours(cases, folder)


def check_at_end(case):
    check_by_netcdf(case)
    check_by_tools(case, TOOLS, check_by_hdf5)


take_turns(first, last, Case, Ours, Theirs, run, check, check_at_end)
