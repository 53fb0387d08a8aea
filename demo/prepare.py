"""Input of the demonstration: files that stock tools made, and the comparison of two datasets by h5diff."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess

import h5py

from harness.values import element_values

_FIELDS = pathlib.Path("/usr/share/ferret-vis/data")
_CELLS = 480 * 480 * 120
_SLAB = 1 << 22

# Input file, dataset in it, dataset in the output; as in job.cpp.
DATASETS = [("relief.h5", "/ROSE", "/relief/ROSE"),
            ("climatology.h5", "/TEMP", "/climatology/TEMP"),
            ("climatology.h5", "/SALT", "/climatology/SALT"),
            ("pflotran.h5", "/cell_ids", "/pflotran/cell_ids"),
            ("pflotran.h5", "/permeability", "/pflotran/permeability")]


class Missing(Exception):
    """A tool or data file that the demonstration needs is not installed, or does not do what it is needed for."""


def make_inputs(folder: pathlib.Path) -> None:
    for source, name in (("etopo5.cdf", "relief.h5"), ("levitus_climatology.cdf", "climatology.h5")):
        _copy_to_hdf5(_FIELDS / source, folder / name)
    with h5py.File(folder / "pflotran.h5", "w") as file:
        for variable, (name, dtype) in enumerate((("cell_ids", "i4"), ("permeability", "f8"))):
            dataset = file.create_dataset(name, (_CELLS,), dtype)
            for start in range(0, _CELLS, _SLAB):
                count = min(_SLAB, _CELLS - start)
                dataset[start:start + count] = element_values(variable, start, count, dtype)


def same(source: pathlib.Path, name: str, target: pathlib.Path, target_name: str) -> bool:
    """Whether all elements are equal. The job copies no attributes, so h5diff's exit code, which speaks of them
    too, is no answer."""
    ended = subprocess.run([_tool("h5diff", "hdf5-tools"), "-v", str(source), str(target), name, target_name],
                           capture_output=True, text=True, check=False)
    if ended.returncode > 1 or "differences found" not in ended.stdout:
        raise Missing(f"h5diff could not compare {target_name}: {ended.stderr.strip() or ended.stdout.strip()}")
    return re.search(r"^0 differences found", ended.stdout, re.M) is not None and "not comparable" not in ended.stdout


def _copy_to_hdf5(source: pathlib.Path, target: pathlib.Path) -> None:
    if not source.is_file():
        raise Missing(f"{source} is missing: install the Debian package ferret-datasets")
    subprocess.run([_tool("nccopy", "netcdf-bin"), "-k", "nc4", str(source), str(target)], check=True)


def _tool(name: str, package: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise Missing(f"{name} is missing: install the Debian package {package}")
    return path
