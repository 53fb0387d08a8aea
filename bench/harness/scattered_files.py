"""The files of scattered arrays, made and checked by netCDF4 (cdf5, netcdf4, and netcdf4z, which is deflated) and h5py (hdf5)."""

from __future__ import annotations

import contextlib
import math
import pathlib

import numpy

from harness.launch import RunFailed
from harness.maps import Division, Job
from harness.values import element_values

_FILL = 1e20  # as in bench/common/scattered.h


def make(path: pathlib.Path, file_format: str, job: Job) -> None:
    with _opened(path, file_format, "w") as file:
        if file_format != "hdf5":
            _define_all(file, job, deflated=file_format == "netcdf4z")
        for variable, division, values in _variables(job):
            shape = (1, *division.dims)
            if file_format != "hdf5":
                file[f"v{variable}"][:] = values.reshape(shape)
            else:
                file.create_dataset(f"v{variable}", data=values.reshape(shape))


def check(path: pathlib.Path, file_format: str, job: Job) -> None:
    """Raises RunFailed where an element is wrong or a variable is missing."""
    with _opened(path, file_format, "r") as file:
        for variable, division, values in _variables(job):
            name = f"v{variable}"
            if name not in (file if file_format == "hdf5" else file.variables):
                raise RunFailed(f"{path} has no variable {name}")
            found = numpy.asarray(file[name][...])
            wrong = int((found.ravel() != values).sum()) if found.shape == (1, *division.dims) else found.size
            if wrong:
                raise RunFailed(f"{path}: {wrong} of {found.size} elements of {name} are wrong")


def _variables(job: Job):
    """Number, division and flattened values of each."""
    variable = 0
    for division in job.divisions:
        held = _held(division)
        for _ in range(division.variables):
            values = element_values(variable, 0, held.size, job.element_type)
            yield variable, division, numpy.where(held, values, values.dtype.type(_FILL))
            variable += 1


def _held(division: Division) -> numpy.ndarray:
    held = numpy.zeros(math.prod(division.dims), bool)
    for runs, with_data in zip(division.runs, division.with_data):
        for start, count in runs[:with_data]:
            held[start:start + count] = True
    return held


def _define_all(file, job: Job, deflated: bool) -> None:
    filters = {"zlib": True, "complevel": 1, "shuffle": False} if deflated else {}
    file.createDimension("time", None)
    variable = 0
    for k, division in enumerate(job.divisions):
        names = ["time", *(f"d{k}_{d}" for d in range(len(division.dims)))]
        for name, extent in zip(names[1:], division.dims):
            file.createDimension(name, extent)
        for _ in range(division.variables):
            file.createVariable(f"v{variable}", job.element_type, names, fill_value=False, **filters)
            variable += 1


@contextlib.contextmanager
def _opened(path: pathlib.Path, file_format: str, mode: str):
    if file_format != "hdf5":
        import netCDF4

        kind = {"format": "NETCDF3_64BIT_DATA" if file_format == "cdf5" else "NETCDF4"} if mode == "w" else {}
        with netCDF4.Dataset(path, mode, **kind) as file:
            file.set_auto_mask(False)
            if mode == "w":
                file.set_fill_off()
            yield file
    else:
        import h5py

        with h5py.File(path, mode) as file:
            yield file
