"""user_types.py h5py|netCDF4 make|check|copied|renamed FILE: variables and attributes of types that other programs define, for
tests/api/user_types_test.cpp. Exit code 77: a module is missing."""

import sys

try:
    import h5py
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

maker, what, path = sys.argv[1:]
POINT = numpy.dtype([("n", "i4"), ("x", "f8"), ("v", "f4", (3,))], align=True)
SHAPE = (12, 10)
ANSWERS = {"NO": 0, "YES": 1, "MAYBE": 7}


def points(first, sign):
    values = numpy.zeros(SHAPE, POINT)
    e = numpy.arange(120).reshape(SHAPE)
    values["n"], values["x"], values["v"] = e + first, sign * (e + 0.5), numpy.stack([e, e + 1, e + 2], axis=-1)
    return values


def make_by_h5py():
    with h5py.File(path, "w") as file:
        file["point_t"] = POINT
        file.create_dataset("plain", SHAPE, file["point_t"])[...] = points(0, 1)
        file.create_dataset("packed", SHAPE, POINT, chunks=(5, 4), compression="gzip", shuffle=True)[...] = points(0, 1)
        file.create_dataset("unput", SHAPE, POINT)
        file["plain"].attrs.create("origin", points(0, 1)[0, 1], dtype=POINT)
        file["answers"] = numpy.zeros(SHAPE, h5py.enum_dtype(ANSWERS, "i1"))
        ragged = file.create_dataset("ragged", (3,), h5py.vlen_dtype("i4"))
        ragged[1] = [1, 2, 3]
        rows = h5py.h5t.array_create(h5py.h5t.IEEE_F32BE, (2, 3))
        made = h5py.h5d.create(file.id, b"arrays", rows, h5py.h5s.create_simple((12,)))
        made.write(h5py.h5s.ALL, h5py.h5s.ALL, numpy.arange(72, dtype=">f4"), mtype=rows)
        file.create_dataset("names", (3,), [("name", h5py.string_dtype()), ("n", "i4")])
        file.create_dataset("to", (3,), h5py.ref_dtype)
        make_attributes(file)


def make_attributes(file):
    facts = file.create_group("facts").attrs
    facts.create("points", points(0, 1)[:2, :3], dtype=POINT)
    facts.create("named", points(0, 1)[3, 4], dtype=file["point_t"])
    facts.create("answer", 7, dtype=h5py.enum_dtype(ANSWERS, "i1"))
    facts["flags"] = numpy.array([True, False, True])
    rows = h5py.h5t.array_create(h5py.h5t.IEEE_F32BE, (2, 3))
    scalar = h5py.h5s.create(h5py.h5s.SCALAR)
    h5py.h5a.create(file["facts"].id, b"rows", rows, scalar).write(numpy.arange(6, dtype=">f4"), mtype=rows)
    h5py.h5a.create(file["facts"].id, b"bits", h5py.h5t.STD_B16BE, scalar).write(
        numpy.array(258, ">u2"), mtype=h5py.h5t.STD_B16BE)
    facts["nothing"] = h5py.Empty(POINT)
    facts["big"] = numpy.array([1, 258], ">i2")
    ragged = numpy.empty(1, object)
    ragged[0] = numpy.array([1, 2, 3], "i4")
    facts.create("ragged", ragged, dtype=h5py.vlen_dtype("i4"))
    facts["to"] = file["plain"].ref
    facts.create("strings", numpy.array(("a", 1), [("name", h5py.string_dtype()), ("n", "i4")]))


def make_by_netcdf4():
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("y", None)
        file.createDimension("x", 10)
        point = file.createCompoundType(POINT, "point_t")
        file.createDimension("z", 12)
        plain = file.createVariable("plain", point, ("z", "x"), contiguous=True)
        plain[...] = points(0, 1)
        plain.setncattr("points", points(0, 1)[0, :3])
        file.createVariable("packed", point, ("y", "x"), zlib=True, chunksizes=(5, 4))[:12] = points(0, 1)
        file.createVariable("unput", point, ("z", "x"), contiguous=True)
        answers = file.createVariable("answers", file.createEnumType("i1", "answer_t", ANSWERS), ("z", "x"), fill_value=0)
        answers[...] = numpy.zeros(SHAPE, "i1")
        ragged = file.createVariable("ragged", file.createVLType("i4", "ragged_t"), ("x",))
        ragged[1] = numpy.array([1, 2, 3], "i4")


def check():
    expected = points(1000, -1)
    for reader in (h5py.File, netCDF4.Dataset):
        with reader(path) as file:
            for name in ("plain", "packed", "unput") if maker == reader.__module__.split(".")[0] else ("plain", "packed"):
                found = file[name][...]
                assert found.shape == SHAPE, (name, found.shape)
                for member in POINT.names:
                    assert numpy.array_equal(found[member], expected[member]), (reader, name, member)
            assert numpy.array_equal(numpy.asarray(file["answers"][...]), numpy.full(SHAPE, 7)), file["answers"]
            assert list(file["ragged"][1]) == [1, 2, 3]
    if maker == "h5py":
        with h5py.File(path) as file:
            assert file["plain"].id.get_type().committed()
            assert numpy.array_equal(file["arrays"][...].ravel(), 2 * numpy.arange(72))
            assert dict(file["plain"].attrs) == {"corner": points(0, 1)[0, 1]}, dict(file["plain"].attrs)


def check_copies():
    with h5py.File(path) as file:
        for attributes in (file.attrs, file["v"].attrs):
            assert sorted(attributes) == ["answer", "bits", "flags", "named", "nothing", "points", "rows"], list(attributes)
            assert numpy.array_equal(attributes["points"], points(0, 1)[:2, :3])
            assert attributes["points"].dtype == attributes["named"].dtype == POINT, attributes["points"].dtype
            assert attributes["named"] == points(0, 1)[3, 4]
            assert attributes.get_id("answer").get_type().get_class() == h5py.h5t.ENUM and attributes["answer"] == 7
            assert attributes["flags"].dtype == bool and list(attributes["flags"]) == [True, False, True]
            assert attributes["rows"].dtype == ">f4" and list(attributes["rows"].ravel()) == list(range(6))
            assert attributes.get_id("bits").get_type().equal(h5py.h5t.STD_B16BE)
            assert attributes.get_id("nothing").dtype == POINT


def check_new_names():
    if maker == "netCDF4":
        with netCDF4.Dataset(path) as file:  # which finds only types that have a name
            assert numpy.array_equal(file["plain"].renamed, points(0, 1)[0, :3]), file["plain"]
        return
    with h5py.File(path) as file:
        for name in ("named", "points"):  # copies within the file, whose type has a name there
            assert file.attrs.get_id(name).get_type().committed(), name
        assert not file.attrs.get_id("rows").get_type().committed()
        renamed = file["facts"].attrs
        assert renamed.get_id("renamed named").get_type().committed() and renamed["renamed named"] == points(0, 1)[3, 4]
        assert renamed["renamed big"].dtype == ">i2" and list(renamed["renamed big"]) == [1, 258]
        assert list(renamed["renamed ragged"][0]) == [1, 2, 3] and not {"named", "big", "ragged"} & set(renamed)


if what == "check":
    check()
elif what == "renamed":
    check_new_names()
elif what == "copied":
    check_copies()
elif maker == "h5py":
    make_by_h5py()
else:
    make_by_netcdf4()
