"""What the oracles share: the values of the clients' arrays (values.h has the same rules) and comparisons.
Files are read and written with h5py alone, in one process."""

import h5py
import numpy as np

TYPES = ("integer", "double", "float", "long", "char", "byte")
# What the types are in a file; a byte is opaque for the scorpio family, a number for the other.
DTYPES = {"integer": "<i4", "double": "<f8", "float": "<f4", "long": "<i8", "char": "i1", "byte": "i1"}

_problems = []


def seed_of(name):
    seed = 0
    for byte in name.encode():
        seed = (seed * 7 + byte) % 9973
    return seed


def values(kind, index, seed):
    """The elements with the global indices `index` (any shape)."""
    base = (31 * np.asarray(index, dtype=np.int64) + 17 * np.asarray(seed, dtype=np.int64)) % 30011
    if kind == "integer":
        return (base - 15000).astype("<i4")
    if kind == "long":
        return (base - 15000) * 2**34
    if kind in ("double", "float"):
        return (0.5 * base - 1000).astype(DTYPES[kind])
    return (base % 127).astype("i1")


def whole(kind, dims, seed):
    return values(kind, np.arange(int(np.prod(dims, dtype=np.int64))).reshape(dims), seed)


def is_opaque(dataset):
    return isinstance(dataset.id.get_type(), h5py.h5t.TypeOpaqueID)


def contents(dataset):
    """As numbers, opaque bytes too."""
    data = dataset[()]
    return data.view("i1") if is_opaque(dataset) else data


def problem(text):
    _problems.append(text)


def check(condition, text):
    if not condition:
        problem(text)


def equal(what, expected, found):
    if expected != found:
        problem(f"{what}: expected {expected!r}, found {found!r}")


def find(file, name):
    """The object, or None and a problem."""
    if name not in file:
        problem(f"{name}: missing; its parents hold {sorted(file[parent_of(file, name)])[:20]}")
        return None
    return file[name]


def parent_of(file, name):
    while name not in file:
        name = name.rpartition("/")[0] or "/"
    return name


def check_array(file, name, kind, expected, opaque=False):
    """Layout, type, extents and every element."""
    dataset = find(file, name)
    if dataset is None:
        return
    expected = np.asarray(expected)
    equal(f"{name}: extents", expected.shape, dataset.shape)
    equal(f"{name}: chunks", None, dataset.chunks)
    equal(f"{name}: opaque", opaque, is_opaque(dataset))
    if not opaque:
        equal(f"{name}: type", np.dtype(DTYPES[kind]), dataset.dtype)
    if dataset.shape != expected.shape:
        return
    wrong = np.argwhere(contents(dataset) != expected)
    if len(wrong):
        at = tuple(wrong[0])
        problem(f"{name}: {len(wrong)} of {expected.size} elements are wrong, the first at {at}: "
                f"expected {expected[at]}, found {contents(dataset)[at]}")


def check_c_string(what, kind, size):
    """The type of a C string: HDF5's H5T_C_S1 (ASCII, ended by NUL) of `size` bytes."""
    wanted = h5py.h5t.C_S1.copy()
    wanted.set_size(size)
    if kind != wanted:
        problem(f"{what}: no C string of {size} bytes, but {kind.get_size()} bytes, padding {kind.get_strpad()}, "
                f"characters {kind.get_cset()}")


def check_names(group, expected):
    equal(f"{group.name}: names", sorted(expected), sorted(group))


def report():
    for text in _problems[:30]:
        print(text)
    print(f"{len(_problems)} problems")
    return 1 if _problems else 0
