"""random_unlimited.py STEPS FIRST LAST RANKS NODES: for each number from FIRST to LAST a random program on one file with
variables that have several unlimited dimensions, or one that is not the first: definitions and puts that extend them,
by STEPS (unlimited.c) and by netCDF-C in turn. After each turn each variable has the extents in the file up to which it
was put, and all readers read all that was put, and the fill value elsewhere. Exit code 77: a module or tool is not
there."""

import os
import random
import shutil
import sys

steps_program, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
ranks, nodes = sys.argv[4], sys.argv[5]
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

FIXED = {"x": 3, "w": 4}
UNLIMITED = ["t", "u", "v"]
SHAPES = [["t", "u"], ["x", "t"], ["t", "x", "u"], ["t", "u", "v"], ["w", "x", "t"], ["u", "t", "x"], ["x", "u", "w", "t"]]


class Variable:
    def __init__(self, name, draw):
        self.name = name
        self.kind = draw.choice(list(TYPES))
        self.fill = TYPES[self.kind] if draw.random() < 0.5 else None
        self.names = draw.choice(SHAPES)
        most = draw.choice([4, 4, 10])
        self.chunk = [draw.randrange(1, FIXED.get(n, most) + 1) for n in self.names]
        self.planned = draw.random() < 0.1
        self.filter = draw.choice(["none", "deflate", "fletcher32"])
        self.array = numpy.full([FIXED.get(n, 0) for n in self.names], self.fill_value(), self.kind)

    def fill_value(self):
        return self.fill if self.fill is not None else netCDF4.default_fillvals[self.kind]

    def padded(self, extents):
        array = numpy.full(extents, self.fill_value(), self.kind)
        array[tuple(slice(0, n) for n in self.array.shape)] = self.array
        return array

    def put(self, start, count, put):
        if 0 in count:
            return
        self.array = self.padded([max(n, s + c) for n, s, c in zip(self.array.shape, start, count)])
        self.array[tuple(slice(s, s + c) for s, c in zip(start, count))] = elements(put, count, self.kind)

    def expected(self, lengths):
        return self.padded([FIXED.get(n) or lengths[n] for n in self.names])


class Case:
    def __init__(self, number, folder):
        self.draw = random.Random(number)
        self.number = number
        self.path = os.path.join(folder, f"{number}.nc")
        self.lengths = dict.fromkeys(UNLIMITED, 0)
        self.variables = []
        self.puts = 0
        self.ours_begin = self.draw.random() < 0.6

    def turn(self, executor, begin):
        executor.begin(self, begin)
        for _ in range(self.draw.choice([1, 2, 3]) if begin else self.draw.choice([0, 0, 1])):
            self.variables.append(Variable(f"a{len(self.variables)}", self.draw))
            executor.define(self.variables[-1])
        for _ in range(self.draw.randrange(1, 7)):
            variable = self.draw.choice(self.variables)
            self.puts += 1
            start, count = executor.put(variable, self)
            variable.put(start, count, self.puts)
            if 0 not in count:
                for name, end in zip(variable.names, [s + c for s, c in zip(start, count)]):
                    if name in self.lengths:
                        self.lengths[name] = max(self.lengths[name], end)
            if self.draw.random() < 0.2:
                executor.sync()
        executor.end()

    # A hyperslab that may extend the variable, and may leave elements out on the way.
    def box(self, variable):
        start, count = [], []
        for name in variable.names:
            extent = FIXED.get(name) or self.lengths[name] + 3
            start.append(self.draw.randrange(extent))
            count.append(self.draw.randrange(1, extent - start[-1] + 1))
        return start, count

    # A decomposition of all dimensions, or of all but the first at an index of that.
    def array(self, variable):
        extents = [FIXED.get(n) or self.draw.randrange(1, self.lengths[n] + 4) for n in variable.names]
        if self.draw.random() < 0.5:
            return 0, extents, [0] * len(extents), extents
        record = self.draw.randrange(FIXED.get(variable.names[0]) or self.lengths[variable.names[0]] + 3)
        return record, extents[1:], [record] + [0] * (len(extents) - 1), [1] + extents[1:]

    def check(self, name, got, expected, variable):
        assert got.shape == expected.shape and numpy.array_equal(got, expected), (
            f"case {self.number}, {name} of {variable.name} {variable.names}:\n{got}\nnot\n{expected}"
        )


class Ours:
    """Writes the steps of a turn to a text file."""

    def begin(self, case, begin):
        self.draw = case.draw
        self.lines = [f"create {case.path} netcdf4" if begin else f"open {case.path}"]
        if begin:
            lengths = {name: 0 for name in case.lengths} | FIXED
            self.lines += [f"dimension {name} {length}" for name, length in lengths.items()]

    def define(self, variable):
        fill = "-" if variable.fill is None else repr(variable.fill)
        chunk = [0] * len(variable.names) if variable.planned else variable.chunk
        words = [variable.name, variable.kind, fill, variable.filter, len(variable.names), *variable.names, *chunk]
        self.lines.append("variable " + " ".join(map(str, words)))

    def put(self, variable, case):
        way = self.draw.choice(["darray", "post", "boxes", "each", "all"])
        if way in ["boxes", "each", "all"]:
            start, count = case.box(variable)
            words = [way, variable.name, case.puts, *start, *count]
        else:
            record, extents, start, count = case.array(variable)
            words = [way, variable.name, record, case.puts, *extents]
        self.lines.append(" ".join(map(str, words)))
        return start, count

    def sync(self):
        self.lines.append("sync")

    def end(self):
        self.lines.append("close")


class Theirs:
    def begin(self, case, begin):
        self.file = netCDF4.Dataset(case.path, "w" if begin else "a", format="NETCDF4")
        if begin:
            for name in case.lengths:
                self.file.createDimension(name, None)
            for name, length in FIXED.items():
                self.file.createDimension(name, length)
        self.file.set_auto_mask(False)

    def define(self, variable):
        self.file.createVariable(
            variable.name,
            variable.kind,
            variable.names,
            fill_value=variable.fill,
            chunksizes=variable.chunk,
            compression="zlib" if variable.filter == "deflate" else None,
            complevel=1,
            fletcher32=variable.filter == "fletcher32",
        )

    def put(self, variable, case):
        start, count = case.box(variable)
        where = tuple(slice(s, s + c) for s, c in zip(start, count))
        self.file[variable.name][where] = elements(case.puts, count, variable.kind)
        return start, count

    def sync(self):
        self.file.sync()

    def end(self):
        self.file.close()


# netCDF-C 4.10.1 returns zeros for some elements beyond the ends of a variable in two dimensions at once: it is asked for
# those inside.
def check_by_netcdf(case):
    with netCDF4.Dataset(case.path) as file:
        file.set_auto_mask(False)
        for name, length in case.lengths.items():
            assert file.dimensions[name].isunlimited() and len(file.dimensions[name]) == length, (case.number, name)
        for variable in case.variables:
            found = file[variable.name]
            assert list(found.dimensions) == variable.names, (case.number, variable.name, found.dimensions)
            if variable.array.size > 0:
                inside = tuple(slice(0, n) for n in variable.array.shape)
                case.check("netCDF-C", found[inside], variable.array, variable)


def check_by_hdf5(case):
    with h5py.File(case.path, "r") as file:
        for variable in case.variables:
            found = file[variable.name]
            case.check("HDF5", found[...], variable.array, variable)
            if variable.filter == "none":
                check_padding(case, variable, found)


# Programs that extend the variable see the padding of chunks as data.
def check_padding(case, variable, found):
    def examine(stored):
        _, raw = found.id.read_direct_chunk(stored.chunk_offset)
        got = numpy.frombuffer(raw, variable.kind).reshape(found.chunks)
        ends = [offset + n for offset, n in zip(stored.chunk_offset, found.chunks)]
        all_of_it = variable.padded([max(n, end) for n, end in zip(variable.array.shape, ends)])
        expected = all_of_it[tuple(slice(offset, end) for offset, end in zip(stored.chunk_offset, ends))]
        case.check("a chunk", got, expected, variable)

    found.id.chunk_iter(examine)


def run(lists, folder):
    run_steps(steps_program, ranks, lists, folder, {"SCORPIO_NODES": nodes})


def check_by_ours(cases, folder):
    lists = {}
    for case in cases:
        lists[case.number] = [f"open {case.path}"]
        for variable in case.variables:
            for way in ["dump", "read"]:
                lists[case.number].append(f"{way} {variable.name} {case.path}.{variable.name}.{way}")
        lists[case.number].append("close")
    run(lists, folder)
    for case in cases:
        for variable in case.variables:
            expected = variable.expected(case.lengths)
            for way in ["dump", "read"]:
                got = numpy.fromfile(f"{case.path}.{variable.name}.{way}").astype(variable.kind)
                case.check(f"SCORPIO ({way})", got.reshape(expected.shape), expected, variable)


def check_by_others(case):
    check_by_netcdf(case)
    check_by_hdf5(case)


def check(cases, folder):
    for case in cases:
        check_by_others(case)
    check_by_ours(cases, folder)


def check_at_end(case):
    check_by_tools(case, TOOLS, check_by_others)


take_turns(first, last, Case, Ours, Theirs, run, check, check_at_end)
