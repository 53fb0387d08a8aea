"""The XDMF description of xdmf.c's file: well formed, complete, and each item names what is in the HDF5 file."""

import xml.etree.ElementTree as tree

import h5py

import common

NUMBERS = {"f": "Float", "i": "Int"}
FIELDS = {"pressure", "group/temperature", "a & b <\"c\">", "ids", "late"}


def make(folder, ranks, family):
    pass


def check_item(item, folder, seen):
    """A DataItem that points into an HDF5 file."""
    name, _, path = item.text.strip().partition(":")
    common.equal("file of an item", "with & more.h5", name)
    with h5py.File(folder / name) as file:
        dataset = common.find(file, path)
        if dataset is None:
            return
        common.equal(f"{path}: Dimensions", dataset.shape, tuple(int(n) for n in item.get("Dimensions").split()))
        common.equal(f"{path}: NumberType", NUMBERS[dataset.dtype.kind], item.get("NumberType"))
        common.equal(f"{path}: Precision", str(dataset.dtype.itemsize), item.get("Precision"))
    seen.add(path.lstrip("/"))


def check(folder, ranks, family):
    files = sorted(path.name for path in folder.iterdir() if path.suffix == ".xmf" or "xmf" in path.name)
    common.equal("descriptions", ["with & more.h5.xmf"], files)
    if not files:
        return
    root = tree.parse(folder / files[0]).getroot()
    common.equal("root", "Xdmf", root.tag)
    seen = set()
    for item in root.iter("DataItem"):
        if item.get("Format") == "HDF":
            check_item(item, folder, seen)
    common.equal("fields described", FIELDS, seen)
    for grid in root.iter("Grid"):
        if grid.get("GridType", "Uniform") == "Uniform":
            common.check(grid.find("Topology") is not None and grid.find("Geometry") is not None,
                         f"grid {grid.get('Name')!r} has no topology or geometry")
