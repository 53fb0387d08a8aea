# compare.py FOLDER...: reads the files of drawn programs with netCDF-C or HDF5 and compares them with what the
# programs say that they hold (FOLDER/sub/manifest, FOLDER/sub/elements).
import os
import sys

import h5py
import netCDF4
import numpy

TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "i8", 8: "u8", 9: "f4", 10: "f8", 11: "S1"}


def elements_of_netcdf(file, name):
    group = file
    *folders, last = name.split("/")
    for folder in folders:
        group = group.groups[folder]
    variable = group.variables[last]
    variable.set_auto_maskandscale(False)
    variable.set_auto_chartostring(False)
    return variable[...]


def compare(folder):
    faults = 0
    raw = open(folder + "/sub/elements", "rb").read()
    file = None
    for line in open(folder + "/sub/manifest"):
        words = line.split()
        if words[0] == "file":
            file_name = words[1]
            plain = words[2] == "hdf5"
            file = h5py.File(f"{folder}/{words[1]}") if plain else netCDF4.Dataset(f"{folder}/{words[1]}")
            inside = file if plain else h5py.File(f"{folder}/{words[1]}") if words[2] == "netcdf4" else None
        elif words[0] in ("doubtful", "gone"):
            continue
        elif words[0] == "attribute":
            value = file.attrs[words[1]] if plain else file.getncattr(words[1])
            if words[2][0] == "t":
                value = value.decode() if isinstance(value, bytes) else value
                same = (value if isinstance(value, str) else "") == words[2][1:]
            else:
                same = [float(word) for word in words[3:]] == numpy.asarray(value, dtype=float).reshape(-1).round(6).tolist()
            if not same:
                print(f"{folder}/{file_name}: attribute {words[1]} is {value!r}, not {words[2:]}")
                faults += 1
        else:
            name, kind, at = words[1], numpy.dtype(TYPES[int(words[2])]), int(words[3])
            extents = tuple(int(word) for word in words[4:])
            n = int(numpy.prod(extents, dtype=numpy.int64))
            expected = numpy.frombuffer(raw, kind, n, at).reshape(extents)
            known = numpy.frombuffer(raw, "u1", n, at + n * kind.itemsize).reshape(extents) == 1
            # NetCDF-C fills wrongly what is beyond the extents of a variable of several unlimited dimensions.
            by_hdf5 = inside is not None and (plain or inside[name].shape != extents)
            got = numpy.asarray(inside[name][...] if by_hdf5 else elements_of_netcdf(file, name))
            if by_hdf5 and got.shape != extents and all(a <= b for a, b in zip(got.shape, extents)):
                part = tuple(slice(0, length) for length in got.shape)
                larger = numpy.full(extents, inside[name].fillvalue, dtype=got.dtype)
                larger[part] = got
                got = larger
            if got.shape != extents:
                print(f"{folder}/{file_name} {name}: extents {got.shape}, not {extents}")
                faults += 1
                continue
            if kind == "S1":
                got = numpy.array(got).astype("S1")
            wrong = known & (got != expected)
            if wrong.any():
                first = tuple(int(i[0]) for i in numpy.nonzero(numpy.atleast_1d(wrong)))
                print(f"{folder}/{file_name} {name}: {int(wrong.sum())} of {n} elements, first {first}: "
                      f"{numpy.atleast_1d(got)[first]}, not {numpy.atleast_1d(expected)[first]}")
                faults += 1
    return faults


faults = 0
for folder in sys.argv[1:]:
    try:
        faults += compare(folder)
    except Exception as error:  # a reader that refuses a file is a fault of the file
        print(f"{folder}: {type(error).__name__}: {error}")
        faults += 1
sys.exit(1 if faults else 0)
