"""The files of amanzi.cpp."""

import h5py
import numpy as np

import common


def rows(ranks):
    return sum(0 if rank % 4 == 1 else 3 + rank for rank in range(ranks))


def make(folder, ranks, family):
    (folder / "text").write_text("not an HDF5 file\n")
    with h5py.File(folder / "in.h5", "w") as file:
        file["flat"] = common.whole("double", (rows(ranks),), 21)
        file["column"] = common.whole("integer", (rows(ranks), 1), 22)
        file.attrs["exact"] = np.bytes_("twelve chars")
        file.attrs.create("padded", np.bytes_("twelve chars"), dtype="S20")
        group = file.create_group("group")
        group.attrs["an_int32"] = np.int32(5)
        group.attrs["an_int64"] = np.int64(6)


SCALARS = {"an integer": (-7, "<i4"), "a_double": (0.1, "<f8"), "a_float": (0.25, "<f4"),
           "a_long": (2**40 + 3, "<i8"), "a_char": (ord("c"), "i1"), "a_byte": (-3, "i1"), "scalar": (42.5, "<f8")}
ARRAYS = {"integers": ([[1, 2, 3], [4, 5, 6]], "<i4"), "doubles": ([0.5, 1.5, 2.5], "<f8"),
          "longs": ([[[2**33, -1]], [[0, 9]]], "<i8")}
STRINGS = {"a_string": b"hello", "an_empty_string": b""}


def check_attributes(item):
    expected = {name: (value, (), np.dtype(dtype)) for name, (value, dtype) in SCALARS.items()}
    expected |= {name: (value, np.shape(value), np.dtype(dtype)) for name, (value, dtype) in ARRAYS.items()}
    found = {}
    for name in expected.keys() & item.attrs.keys():
        attribute = item.attrs.get_id(name)
        found[name] = (np.asarray(item.attrs[name]).tolist(), attribute.shape, attribute.dtype)
    for name, what in expected.items():
        common.equal(f"{item.name} attribute {name}", what, found.get(name))
    for name, text in STRINGS.items():
        where = f"{item.name} attribute {name}"
        if name not in item.attrs:
            common.problem(f"{where} is missing")
            continue
        common.equal(where, text, bytes(item.attrs[name]).rstrip(b"\0"))
        kind = item.attrs.get_id(name).get_type()
        common.equal(f"{where}: stored with its NUL", (False, len(text) + 1), (kind.is_variable_str(), kind.get_size()))
        common.check_c_string(where, kind, len(text) + 1)
        common.equal(f"{where}: a scalar", (), item.attrs.get_id(name).shape)


def check_strings(file):
    names = [b"Top", b"", b"the one of them that is longest", b"x y"]
    dataset = common.find(file, "lists/names")
    if dataset is not None:
        common.equal("strings", names, dataset[()].tolist())
        common.equal("length of a string", 32, dataset.id.get_type().get_size())
        common.check_c_string("strings", dataset.id.get_type(), 32)


def check_checkpoint(file, n):
    common.check_names(file, ["mesh", "field", "a name", "ids", "lists", "by hand", "some", "beside it",
                             "ids of all"])
    common.check_names(file["mesh"], ["nodes", "elements", "later"])
    for name, kind, columns, seed in (
            ("mesh/nodes", "double", 3, 1), ("mesh/elements", "integer", 2, 7), ("field/0", "double", 1, 12),
            ("a name/with  blanks (Pa)", "double", 1, 4), ("ids", "long", 1, 5), ("mesh/later", "double", 1, 6),
            ("by hand", "integer", 1, 77), ("some/group/in it", "double", 1, 8), ("beside it", "double", 1, 9), ("ids of all", "long", 1, 11)):
        common.check_array(file, name, kind, common.whole(kind, (n, columns), seed))
    for item in (file, file["mesh"], file["mesh/nodes"]):
        check_attributes(item)
    common.equal("attribute of rank 0", 100, file.attrs.get("of_rank_0"))
    common.equal("replaced attribute", 12, file.attrs.get("steps"))
    check_strings(file)


def check_steps(path, ranks, kind, seeds):
    with h5py.File(path) as file:
        common.check_names(file["step"], ["0", "1"])
        for time, seed in enumerate(seeds):
            common.check_array(file, f"step/{time}", kind, common.whole(kind, (rows(ranks), 1), seed))


def check(folder, ranks, family):
    with h5py.File(folder / "checkpoint.h5") as file:
        check_checkpoint(file, rows(ranks))
    check_steps(folder / "all.h5", ranks, "double", (30, 31))
    check_steps(folder / "more.h5", ranks, "double", (60, 61))
    check_steps(folder / "half_0.h5", (ranks + 1) // 2, "integer", (40, 41))
    if ranks > 1:
        check_steps(folder / "half_1.h5", ranks // 2, "integer", (42, 43))
    for rank in range(ranks):
        check_steps(folder / f"self_{rank}.h5", 1, "long", (50 + rank, 50 + rank))
