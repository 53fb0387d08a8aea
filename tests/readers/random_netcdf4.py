"""random_netcdf4.py STEPS FIRST LAST: for each number from FIRST to LAST a random program on one netCDF-4 file: definitions,
records in any order and attributes, by STEPS (netcdf4_steps.c) and by netCDF-C in turn. After each turn both read all
that was put and nothing else, and at the end tools accept the file. Exit code 77: a module or tool is not there."""

import os
import random
import shutil
import sys

steps_program, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
try:
    import h5netcdf
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)
from random_steps import TYPES, check_by_tools, elements, run_steps, take_turns  # noqa: E402

TOOLS = [["ncdump"], ["h5dump"], ["nccopy", "OUT"], ["h5repack", "OUT"]]
if not all(shutil.which(tool[0]) for tool in TOOLS):
    sys.exit(77)

FIXED = {"y": 5, "x": 3}


class Variable:
    def __init__(self, name, draw, unlimited):
        self.name = name
        self.kind = draw.choice(list(TYPES))
        self.fill = TYPES[self.kind] if draw.random() < 0.5 else None
        self.record = draw.choice(unlimited) if draw.random() < 0.8 else None
        self.fixed = draw.choice([[], ["x"], ["y", "x"]]) if self.record else ["y", "x"]
        self.chunk = draw.choice([0, 1, 2, 3, 7]) if self.record else 0
        self.filters = draw.random() < 0.5 if self.record else False
        self.puts = {}  # by record; 0 for a variable without records
        self.attributes = {}

    def names(self):
        return ([self.record] if self.record else []) + self.fixed

    def slab(self):
        return [FIXED[name] for name in self.fixed]

    def expected(self, lengths):
        fill = self.fill if self.fill is not None else netCDF4.default_fillvals[self.kind]
        count = lengths[self.record] if self.record else 1
        records = numpy.full([count] + self.slab(), fill, self.kind)
        for record, put in self.puts.items():
            records[record] = elements(put, self.slab(), self.kind)
        return records if self.record else records[0]


class Case:
    def __init__(self, number, folder):
        self.draw = random.Random(number)
        self.number = number
        self.path = os.path.join(folder, f"{number}.nc")
        self.model = self.draw.choice(["enhanced", "classic"])
        self.lengths = {"t": 0} if self.model == "classic" else {"t": 0, "u": 0}
        self.variables = []
        self.puts = 0
        self.ours_begin = self.draw.random() < 0.5

    # A turn: what is defined, then puts and attributes in any order.
    def turn(self, executor, begin):
        executor.begin(self, begin)
        for _ in range(self.draw.choice([1, 2, 3]) if begin else self.draw.choice([0, 0, 1])):
            if self.draw.random() < 0.2 and "t" not in [variable.name for variable in self.variables]:
                variable = Variable("t", self.draw, ["t"])  # the coordinate variable of a dimension that may have grown
                variable.record, variable.fixed = "t", []
                variable.chunk = variable.chunk or 4
            else:
                variable = Variable(f"v{len(self.variables)}", self.draw, list(self.lengths))
            self.variables.append(variable)
            executor.define(variable)
        for _ in range(self.draw.randrange(6)):
            variable = self.draw.choice(self.variables)
            if self.draw.random() < 0.2:
                name, value = f"a{self.draw.randrange(3)}", f"text{self.draw.randrange(1000)}"
                variable.attributes[name] = value
                executor.attribute(variable, name, value)
                continue
            record = 0
            if variable.record:
                record = self.draw.randrange(self.lengths[variable.record] + 3)
                self.lengths[variable.record] = max(self.lengths[variable.record], record + 1)
            self.puts += 1
            variable.puts[record] = self.puts
            executor.put(variable, record, self.puts)
            if self.draw.random() < 0.2:
                executor.sync()
        executor.end()

    def check(self, name, got, variable):
        expected = variable.expected(self.lengths)
        assert got.shape == expected.shape and numpy.array_equal(got, expected), (
            f"case {self.number}, {name} of {variable.name} {variable.names()}:\n{got}\nnot\n{expected}"
        )


class Ours:
    """Writes the steps of a turn to a text file; dump() appends what is to be read."""

    def begin(self, case, begin):
        self.draw = case.draw
        self.lines = [f"create {case.path} {case.model}" if begin else f"open {case.path}"]
        if begin:
            lengths = {name: 0 for name in case.lengths} | FIXED
            self.lines += [f"dimension {name} {length}" for name, length in lengths.items()]

    def define(self, variable):
        fill = "-" if variable.fill is None else repr(variable.fill)
        filters = 1 if variable.filters else 0
        self.lines.append(
            f"variable {variable.name} {variable.kind} {fill} {variable.chunk} {filters} " + " ".join(variable.names())
        )

    def attribute(self, variable, name, value):
        self.lines.append(f"attribute {variable.name} {name} {value}")

    def put(self, variable, record, put):
        self.lines.append(f"{self.draw.choice(['put', 'part'])} {variable.name} {record} {put}")

    def sync(self):
        self.lines.append("sync")

    def end(self):
        self.lines.append("close")


class Theirs:
    def begin(self, case, begin):
        names = {"enhanced": "NETCDF4", "classic": "NETCDF4_CLASSIC"}
        if begin:
            self.file = netCDF4.Dataset(case.path, "w", format=names[case.model])
            for name in case.lengths:
                self.file.createDimension(name, None)
            for name, length in FIXED.items():
                self.file.createDimension(name, length)
        else:
            self.file = netCDF4.Dataset(case.path, "a")
        self.file.set_auto_mask(False)

    def define(self, variable):
        chunks = [variable.chunk] + variable.slab() if variable.chunk else None
        self.file.createVariable(
            variable.name,
            variable.kind,
            variable.names(),
            fill_value=variable.fill,
            chunksizes=chunks,
            compression="zlib" if variable.filters else None,
            complevel=1,
        )

    def attribute(self, variable, name, value):
        self.file[variable.name].setncattr(name, value)

    def put(self, variable, record, put):
        values = elements(put, variable.slab(), variable.kind)
        if variable.record:
            self.file[variable.name][record] = values
        else:
            self.file[variable.name][...] = values

    def sync(self):
        self.file.sync()

    def end(self):
        self.file.close()


def check_by_netcdf(case):
    with netCDF4.Dataset(case.path) as file:
        file.set_auto_mask(False)
        assert file.data_model == ("NETCDF4" if case.model == "enhanced" else "NETCDF4_CLASSIC"), case.number
        for name, length in case.lengths.items():
            assert file.dimensions[name].isunlimited() and len(file.dimensions[name]) == length, (case.number, name)
        for variable in case.variables:
            found = file[variable.name]
            assert list(found.dimensions) == variable.names(), (case.number, variable.name, found.dimensions)
            case.check("netCDF-C", found[...], variable)
            for name, value in variable.attributes.items():
                assert found.getncattr(name) == value, (case.number, variable.name, name)


def run(lists, folder):
    run_steps(steps_program, "3", lists, folder)


def check_by_ours(cases, folder):
    run(
        {
            case.number: [f"open {case.path}"]
            + [f"dump {variable.name} {case.path}.{variable.name}" for variable in case.variables]
            + ["close"]
            for case in cases
        },
        folder,
    )
    for case in cases:
        for variable in case.variables:
            got = numpy.fromfile(f"{case.path}.{variable.name}").astype(variable.kind)
            case.check("SCORPIO", got.reshape(variable.expected(case.lengths).shape), variable)


def check_by_others(case):
    with h5netcdf.File(case.path, "r") as file:
        for variable in case.variables:
            assert list(file.variables[variable.name].dimensions) == variable.names()
            if 0 not in variable.expected(case.lengths).shape:
                case.check("h5netcdf", file.variables[variable.name][...], variable)
    check_by_tools(case, TOOLS, check_by_netcdf)


def check(cases, folder):
    for case in cases:
        check_by_netcdf(case)
    check_by_ours(cases, folder)


take_turns(first, last, Case, Ours, Theirs, run, check, check_by_others)
