"""make_files.py FIRST_SEED LAST_SEED FOLDER: HDF5 files <seed>.h5 with data sets of random shapes, types, byte orders
and forms (contiguous, compact, chunked, filtered, external, virtual, or in netCDF-4 files with groups), and <seed>.txt
with a line for each: path, kind ("i" or "f") with bytes, extents, ":", form, extents of a chunk, ":", filters. Element e (row-major) of the k-th line is value(k, e).
Exit code 77: h5py is not there."""

import os
import random
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

try:
    import netCDF4
except ImportError:
    netCDF4 = None

TYPES = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")


def value(k, e):
    """Fits every type, and differs from what it is in another order of bytes."""
    return (31 * e + 17 * k) % 120 + 1


def contents(k, shape, dtype):
    count = int(numpy.prod(shape, dtype=numpy.int64))
    return value(k, numpy.arange(count, dtype=numpy.int64)).astype(dtype).reshape(shape)


def random_shape(draw):
    ndims = draw.randrange(5)
    most = (1, 300, 40, 14, 8)[ndims]
    return tuple(draw.randint(0 if draw.random() < 0.03 else 1, most) for _ in range(ndims))


def random_chunks(draw, shape):
    return tuple(draw.randint(1, extent + (extent if draw.random() < 0.2 else 0)) for extent in shape)


def random_form(draw, shape, dtype):
    """Arguments of create_dataset."""
    form = draw.choice(("contiguous", "compact", "chunked", "filtered", "filtered", "external"))
    bytes_needed = int(numpy.prod(shape, dtype=numpy.int64)) * dtype.itemsize
    if form == "compact" and bytes_needed < 60000:
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_layout(h5py.h5d.COMPACT)
        return {"dcpl": plist}
    if form == "external" and bytes_needed > 0 and shape:
        name = os.path.join(folder, f"raw-{draw.randrange(10**9)}")  # HDF5 looks in the working folder
        return {"external": [(name, 0, h5py.h5f.UNLIMITED)]}
    if not shape or min(shape) == 0 or form not in ("chunked", "filtered"):
        return {}
    arguments = {"chunks": random_chunks(draw, shape)}
    if any(chunk > extent for chunk, extent in zip(arguments["chunks"], shape)):
        arguments["maxshape"] = (None,) * len(shape)
    elif draw.random() < 0.3:
        arguments["maxshape"] = tuple(draw.choice((None, extent)) for extent in shape)
    if form == "filtered":
        arguments["shuffle"] = draw.random() < 0.5
        arguments["fletcher32"] = draw.random() < 0.5
        if draw.random() < 0.7:
            arguments["compression"] = "gzip"
        if dtype.kind in "iu" and draw.random() < 0.3:
            arguments["scaleoffset"] = 0
            arguments["fletcher32"] = False
    return arguments


def add_plain(file, draw, k, lines):
    shape, dtype = random_shape(draw), numpy.dtype(draw.choice("<>") + draw.choice(TYPES))
    path = draw.choice(("/", "/a/", "/a/b/")) + f"d{k}"
    data = contents(k, shape, dtype)
    if draw.random() < 0.1 and shape and min(shape) > 0:
        layout = h5py.VirtualLayout(shape=shape, dtype=dtype)
        source = f"source-{k}-{os.path.basename(file.filename)}"
        with h5py.File(os.path.join(os.path.dirname(file.filename), source), "w", libver=("earliest", "v110")) as other:
            other.create_dataset("x", data=data, **random_form(draw, shape, dtype))
        layout[...] = h5py.VirtualSource(source, "x", shape=shape)
        file.create_virtual_dataset(path, layout)
    else:
        arguments = random_form(draw, shape, dtype)
        file.create_dataset(path, shape=shape, dtype=dtype, **arguments)[...] = data
    lines.append(f"{path} {'f' if dtype.kind == 'f' else 'i'}{dtype.itemsize} {' '.join(map(str, shape))}")


def with_h5py(path, draw):
    lines = []
    # HDF5 1.10 reads no later form.
    with h5py.File(path, "w", libver=draw.choice((("earliest", "v110"), ("v108", "v110"), ("v110", "v110")))) as file:
        for k in range(draw.randint(3, 10)):
            add_plain(file, draw, k, lines)
    return lines


def with_netcdf4(path, draw):
    """Dimensions of the same name in several groups, unlimited ones too."""
    lines = []
    with netCDF4.Dataset(path, "w") as file:
        groups = [file, file.createGroup("a"), file.createGroup("a/b")]
        for group in groups:
            extents = {name: draw.randint(1, 12) for name in ("x", "y")}
            for name, extent in extents.items():
                group.createDimension(name, None if draw.random() < 0.3 else extent)
            for _ in range(draw.randint(1, 3)):
                k, names = len(lines), draw.choice((("x",), ("y", "x"), ("x", "y"), ("y",)))
                kind, order = draw.choice(TYPES), draw.choice(("little", "big"))
                shape = tuple(extents[name] for name in names)
                name = names[0] if draw.random() < 0.3 and names[0] not in group.variables else f"d{k}"
                variable = group.createVariable(name, {"little": "<", "big": ">"}[order] + kind, names, endian=order, zlib=draw.random() < 0.5,
                                                shuffle=draw.random() < 0.5, fletcher32=draw.random() < 0.3,
                                                contiguous=False)
                variable[...] = contents(k, shape, kind)
                lines.append(f"{group.path.rstrip('/')}/{name} {'f' if kind[0] == 'f' else 'i'}{kind[1]} "
                             f"{' '.join(map(str, shape))}")
    return lines


def with_storage(path, lines):
    """The lines with the form in which h5py says that the elements are stored."""
    forms = {h5py.h5d.COMPACT: "compact", h5py.h5d.CONTIGUOUS: "contiguous", h5py.h5d.CHUNKED: "chunked",
             h5py.h5d.VIRTUAL: "virtual"}
    told = []
    with h5py.File(path, "r") as file:
        for line in lines:
            dataset = file[line.split()[0]]
            plist = dataset.id.get_create_plist()
            form = "external" if plist.get_external_count() > 0 else forms[plist.get_layout()]
            filters = [plist.get_filter(i)[0] for i in range(plist.get_nfilters())]
            told.append(f"{line} : {form} {' '.join(map(str, dataset.chunks or ()))} : {' '.join(map(str, filters))}")
    return told


first, last, folder = int(sys.argv[1]), int(sys.argv[2]), os.path.abspath(sys.argv[3])
for seed in range(first, last + 1):
    draw = random.Random(seed)
    path = os.path.join(folder, f"{seed}.h5")
    make = with_netcdf4 if netCDF4 is not None and draw.random() < 0.3 else with_h5py
    with open(os.path.join(folder, f"{seed}.txt"), "w", encoding="ascii") as out:
        out.write("\n".join(with_storage(path, make(path, draw))) + "\n")
