"""convert_test.py SOURCES CONVERT CONVERT_BY_PNETCDF|none: makes files with netCDF4 and h5py, converts them with several
numbers of ranks and little memory, and compares the values, attributes and links with netCDF4 and h5py. Exit code 77: a module is
not there."""

import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import netCDF4
    import numpy
except ImportError as missing:
    print("not run:", missing)
    sys.exit(77)

CONVERT, CONVERT_BY_PNETCDF = sys.argv[2], sys.argv[3]
RANKS = (1, 3, 5)
INCOMPLETE = 3
PAIR = numpy.dtype([("x", "i4"), ("y", "f8")])
CLASSIC = ("i1", "i2", "i4", "f4", "f8")
ALL = (*CLASSIC, "u1", "u2", "u4", "i8", "u8")
# PnetCDF writes through MPI-IO. OMPIO of Open MPI 4.1 loses data of ranks that write close to each other (its data
# sieving reads and writes back without a lock), so that ROMIO is taken.
WITH_ROMIO = {"OMPI_MCA_io": "^ompio"}


def make_netcdf(path, kind, types):
    with netCDF4.Dataset(path, "w", format=kind) as file:
        file.setncatts({"title": "a title", "list": numpy.arange(3, dtype="i4"), "empty": ""})
        for name, length in (("time", None), ("y", 7), ("x", 11)):
            file.createDimension(name, length)
        chunks = {"zlib": True, "chunksizes": (1, 3, 4)} if kind == "NETCDF4" else {}
        for letter in types:
            field = file.createVariable("v_" + letter, letter, ("time", "y", "x"), fill_value=99, **chunks)
            field[:5] = numpy.arange(5 * 77).reshape(5, 7, 11) % 99
            field.setncatts({"units": "m", "range": numpy.array([0, 98], letter)})
            file.createVariable("w_" + letter, letter, ("x",))[:] = numpy.arange(11)
        file.createVariable("time", "f8", ("time",))[:] = numpy.arange(5)
        file.createVariable("scalar", "f8", ())[...] = 2.5
        file.createVariable("letters", "S1", ("y",))[:] = numpy.array(list("abcdefg"), "S1")
        if kind == "NETCDF4":
            inner = file.createGroup("g/inner")
            file["g"].createDimension("z", 3)
            inner.note = "deep"
            inner.createVariable("w", "f4", ("y", "z"))[:] = numpy.arange(21).reshape(7, 3)
            file.createVariable("names", str, ("y",))[:] = numpy.array(list("abcdefg"), object)


def make_hdf5(path):
    with h5py.File(path, "w") as file:
        file["a/b"] = numpy.arange(1000, dtype="f4").reshape(10, 100)
        file["a/fixed"] = numpy.array([b"one", b"three"], "S5")
        file["place"] = numpy.arange(2)
        file["place"].make_scale()
        file["a/fixed"].dims[0].attach_scale(file["place"])
        file["empty"] = numpy.zeros((0, 3))
        file["big_endian"] = numpy.arange(6, dtype=">i4")
        file["link"] = h5py.SoftLink("/a/b")
        file["a"].attrs["numbers"], file["a"].attrs["text"] = [1, 2], "hello"
        file["compound"] = numpy.zeros(3, dtype=[("x", "i4"), ("y", "f8")])
        file["a"].attrs["pair"], file["a"].attrs["flags"] = numpy.array((1, 2.5), PAIR), numpy.array([True, False])
        file["a"].attrs["to"] = file["place"].ref


def convert(program, ranks, source, target, kind):
    """Exit code and messages."""
    ran = subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", str(ranks), program, "--format", kind, "--bytes", "100", source,
                          target], capture_output=True, text=True, timeout=100, env=os.environ | WITH_ROMIO)
    assert ran.returncode in (0, INCOMPLETE), ran
    return ran.returncode, ran.stderr


def same_attributes(before, after):
    assert set(before.ncattrs()) == set(after.ncattrs()), (before.ncattrs(), after.ncattrs())
    for name in before.ncattrs():
        old, new = numpy.asarray(before.getncattr(name)), numpy.asarray(after.getncattr(name))
        assert old.dtype == new.dtype and numpy.array_equal(old, new), (name, old, new)


def same_group(before, after, without):
    """Compares the variables of a group, except those that the new file cannot have."""
    same_attributes(before, after)
    assert set(before.variables) - set(without) == set(after.variables), set(after.variables)
    for name in after.variables:
        old, new = before[name], after[name]
        old.set_auto_mask(False)
        new.set_auto_mask(False)
        assert old.dimensions == new.dimensions and old.dtype == new.dtype, (name, old, new)
        assert numpy.array_equal(old[...], new[...]), name
        same_attributes(old, new)


def check_netcdf(folder, ranks, kind, types, to):
    source, target = os.path.join(folder, kind), os.path.join(folder, "out")
    make_netcdf(source, kind, types)
    code, said = convert(CONVERT, ranks, source, target, to)
    lost = ["names"] if kind == "NETCDF4" else []
    assert code == (INCOMPLETE if lost else 0), said
    assert all("/" + name + ": no variable:" in said for name in lost), said
    with netCDF4.Dataset(source) as before, netCDF4.Dataset(target) as after:
        same_group(before, after, lost)
        assert after.dimensions["time"].isunlimited()
        if kind == "NETCDF4" and to == "hdf5":
            same_group(before["g"], after["g"], [])
            same_group(before["g/inner"], after["g/inner"], [])
            assert len(after["g"].dimensions["z"]) == 3
        elif kind == "NETCDF4":
            assert "/g: no group, and nothing of it:" in said, said


def check_hdf5(folder, ranks):
    source, target = os.path.join(folder, "in.h5"), os.path.join(folder, "out.h5")
    make_hdf5(source)
    code, said = convert(CONVERT, ranks, source, target, "hdf5")
    assert code == INCOMPLETE and "/compound: no variable:" in said and "attribute 'to' cannot be read" in said, said
    assert "pair" not in said and "flags" not in said, said
    with h5py.File(source) as before, h5py.File(target) as after:
        assert set(after) == set(before) - {"compound"} and set(after["a"]) == set(before["a"])
        for name in ("a/b", "a/fixed", "empty", "big_endian"):
            assert before[name].shape == after[name].shape and numpy.array_equal(before[name], after[name]), name
        assert [scale.name for scale in after["a/fixed"].dims[0].values()] == ["/place"]
        assert after.get("link", getlink=True).path == "/a/b"
        assert list(after["a"].attrs["numbers"]) == [1, 2]
        pair, flags = after["a"].attrs["pair"], after["a"].attrs["flags"]
        assert pair.dtype == PAIR and pair == numpy.array((1, 2.5), PAIR), pair
        assert flags.dtype == bool and list(flags) == [True, False], flags
        assert h5py.check_string_dtype(after["a"].attrs.get_id("text").dtype) is not None


def check_peer(folder, ranks, kind, types):
    """The two programs write the same from a classic file."""
    source, targets = os.path.join(folder, "in.nc"), [os.path.join(folder, name) for name in ("ours.nc", "peer.nc")]
    make_netcdf(source, kind, types)
    for program, target in zip((CONVERT, CONVERT_BY_PNETCDF), targets):
        assert convert(program, ranks, source, target, "cdf5")[0] == 0
    with netCDF4.Dataset(targets[0]) as ours, netCDF4.Dataset(targets[1]) as peer:
        same_group(ours, peer, [])


def check_arguments():
    for words, code in ((["--help"], 0), ([], 1)):
        said = subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", "1", CONVERT, *words], capture_output=True, text=True,
                              timeout=60)
        assert said.returncode == code and "--bytes N" in said.stdout, said


check_arguments()
for RANK in RANKS:
    with tempfile.TemporaryDirectory() as FOLDER:
        check_netcdf(FOLDER, RANK, "NETCDF4", ALL, "cdf5")
        check_netcdf(FOLDER, RANK, "NETCDF4", ALL, "hdf5")
        check_netcdf(FOLDER, RANK, "NETCDF3_CLASSIC", CLASSIC, "cdf5")
        check_netcdf(FOLDER, RANK, "NETCDF3_64BIT_DATA", ALL, "hdf5")
        check_hdf5(FOLDER, RANK)
        if CONVERT_BY_PNETCDF != "none":
            check_peer(FOLDER, RANK, "NETCDF3_64BIT_DATA", ALL)
    print("converted and compared with", RANK, "ranks")
