"""The file of truchas.c."""

import h5py
import numpy as np

import common

CYCLES = 3
COLUMNS = 3


def rows(ranks):
    return sum(0 if rank % 3 == 2 else rank + 2 for rank in range(ranks))


def make(folder, ranks, family):
    pass


def check_mesh(file, n):
    common.check_names(file["Meshes/DEFAULT"], ["Nodal Coordinates", "Element Connectivity", "No Sides"])
    common.check_array(file, "Meshes/DEFAULT/Nodal Coordinates", "double", common.whole("double", (n, COLUMNS), 1))
    common.check_array(file, "Meshes/DEFAULT/Element Connectivity", "integer",
                       common.whole("integer", (n, COLUMNS), 2))
    common.check_array(file, "Meshes/DEFAULT/No Sides", "double", np.empty((0, COLUMNS)))
    common.check_array(file, "at the root", "float", common.whole("float", (n,), 3))
    common.check_array(file, "added", "integer", common.whole("integer", (n,), 50))
    attributes = file["Meshes/DEFAULT"].attrs
    common.equal("Extent", [[0.5, 1.5], [2.5, 3.5]], attributes["Extent"].tolist())
    common.equal("Element Type", b"HEX", bytes(attributes["Element Type"]).rstrip(b"\0"))
    common.check_c_string("Element Type", attributes.get_id("Element Type").get_type(), 4)


def check_cycle(file, cycle, n):
    path = f"Simulations/MAIN/Series Data/Series {cycle + 1}"
    common.check_names(file[path], ["Z_TEMP", "Z_BYTES", "Z_RHO"])
    common.check_array(file, f"{path}/Z_TEMP", "double", common.whole("double", (n,), 10 + cycle))
    common.check_array(file, f"{path}/Z_BYTES", "byte", common.whole("byte", (n, COLUMNS), 20 + cycle), opaque=True)
    common.check_array(file, f"{path}/Z_RHO", "double", common.whole("double", (n, COLUMNS), 40 + cycle))
    common.equal("cycle", cycle, file[path].attrs.get("cycle"))


def check_link(file, name, target):
    link = file.get(name, getlink=True)
    common.check(isinstance(link, h5py.SoftLink), f"{name}: {link!r} is no soft link")
    common.equal(name, target, getattr(link, "path", None))


def check_probe(file, name, first):
    probe = common.find(file, f"Simulations/MAIN/Probes/{name}")
    if probe is None:
        return
    common.equal(f"probe {name}", [[t, 0.5 * (t + 1)] for t in range(first, CYCLES + 1)], probe[()].tolist())
    common.equal(f"probe {name}: extents", ((None, 2), (1, 2)), (probe.maxshape, probe.chunks))


def check(folder, ranks, family):
    n = rows(ranks)
    with h5py.File(folder / "truchas.h5") as file:
        common.check_names(file, ["Meshes", "Simulations", "absolute", "at the root", "added", "uniform"])
        common.check_array(file, "uniform", "integer", [3 * rank for rank in range(ranks)])
        common.check_names(file["absolute"], [])
        check_mesh(file, n)
        steps = [f"Step {cycle + 1}" for cycle in range(CYCLES)]
        common.check_names(file["Simulations/MAIN"], ["Probes", "Mesh", "Dangling", "Output", "Series Data"] + steps)
        for cycle in range(CYCLES):
            check_cycle(file, cycle, n)
            check_link(file, f"Simulations/MAIN/{steps[cycle]}", f"/Simulations/MAIN/Series Data/Series {cycle + 1}")
        check_link(file, "Simulations/MAIN/Mesh", "/Meshes/DEFAULT")
        check_link(file, "Simulations/MAIN/Dangling", "/nowhere")
        check_probe(file, "pressure", 0)
        check_probe(file, "late", 1)
        common.equal("version", 13, file.attrs.get("version"))
        common.equal("ndim", 3, file["Simulations/MAIN"].attrs.get("ndim"))
        text = common.find(file, "Simulations/MAIN/Output")
        common.equal("text", b"mesh and fields", text[()].tobytes() if text is not None else None)
