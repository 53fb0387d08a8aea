"""The sides of a timed comparison: ours, the raw limit, the copy alone, and every configuration of every peer."""

from __future__ import annotations

import dataclasses

from harness.launch import Build


@dataclasses.dataclass(frozen=True)
class Side:
    name: str
    program: str
    format: str  # sides of one format read the same file
    peer: bool = False
    io_ranks_only: bool = False  # as many processes as I/O ranks
    arguments: tuple[str, ...] = ()
    mca: tuple[tuple[str, str], ...] = ()


OURS = Side("ours", "ours", "h5")
INTERFACE_2012 = Side("interface of 2012", "interface2012", "h5")
RAW = Side("raw", "raw", "raw", io_ranks_only=True)
PLACING = Side("placing", "placing", "none")

_LAYERS = {"ompio": (), "romio": (("io", "romio321"),)}
_HINTS = {"default": (), "tuned": ("--tuned",)}
_MODES = {"hdf5": ("hdf5_peer", "h5", ("collective", "independent")),
          "pnetcdf": ("pnetcdf_peer", "nc", ("collective", "nonblocking"))}


def peers_of(build: Build, library: str) -> list[Side]:
    """Every {mode} x {MPI-IO layer} x {hints} of a library; only Open MPI has two layers."""
    program, file_format, modes = _MODES[library]
    layers = _LAYERS if build.open_mpi else {"mpi-io": ()}
    return [Side(f"{library} {mode} {layer} {hints}", program, file_format, peer=True,
                 arguments=("--mode", mode, *flags), mca=mca)
            for mode in modes for layer, mca in layers.items() for hints, flags in _HINTS.items()]


def reader_of(build: Build, file_format: str) -> Side:
    """The peer that checks files of a format, and makes those that are to be read; never ours."""
    library, mode = ("hdf5", "independent") if file_format == "h5" else ("pnetcdf", "nonblocking")
    layer = "romio" if build.open_mpi else "mpi-io"
    return Side(f"{library} {mode} {layer} default", _MODES[library][0], file_format, peer=True,
                arguments=("--mode", mode), mca=_LAYERS.get(layer, ()))
