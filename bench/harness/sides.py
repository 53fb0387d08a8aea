"""The sides of a timed comparison: ours, the limits of raw access and of what is written by hand, and every
configuration of every peer."""

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
    processes: int = 0           # so many; 0: those of the case
    arguments: tuple[str, ...] = ()
    mca: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    family: str = ""  # sides that are compared with each other for what combining gains
    role: str = ""    # in that: combined, per variable, or neither

    @property
    def ours(self) -> bool:
        return self.program in ("ours", "ours_pattern", "ours_scattered", "ours_chunked")


def _ours(name: str, mode: str, family: str, role: str) -> Side:
    return Side(name, "ours_pattern", "cdf", arguments=("--mode", mode), family=family, role=role)


OURS = Side("ours", "ours", "h5")
INTERFACE_2012 = Side("interface of 2012", "interface2012", "h5")
RAW = Side("raw", "raw", "raw", io_ranks_only=True)
PLACING = Side("placing", "placing", "none")
# What has to cross between hosts, and be written or read, and nothing else: by one process of each host, and beside
# as many that wait as a job has. They make the files that they read.
FLOOR = Side("floor", "floor", "none", io_ranks_only=True)
FLOOR_ALL_RANKS = Side("floor, all ranks", "floor", "none")
FLOORS = (FLOOR, FLOOR_ALL_RANKS)
# Patterns alone: two-phase I/O without a library.
BY_HAND = Side("by hand", "by_hand", "hand")

# Posts and one wait; one collective call per part; posts and a wait that does not combine.
COMBINED = _ours("ours", "combined", "posts", "combined")
PER_VARIABLE = _ours("ours, each part", "each", "posts", "per variable")
SEPARATE = _ours("ours, not combined", "separate", "posts", "")
# Through decompositions: all variables of a shape in one call, and one call per variable.
PUT_VARIABLES = _ours("ours, put_variables", "put_variables", "puts", "combined")
PUT = _ours("ours, put", "put", "puts", "per variable")

# Scattered arrays, in each format: one call per decomposition, and one per variable.
SCATTERED = tuple(Side(f"ours, {file_format}{name}", "ours_scattered", file_format,
                       arguments=("--form", file_format, "--mode", mode))
                  for file_format in ("cdf5", "hdf5")
                  for name, mode in (("", "put_variables"), (", each variable", "put")))
SCATTERED_EACH = SCATTERED[1::2]

# Every rank's own contiguous part of the same bytes: a limit, not a library.
RAW_OF_ALL_RANKS = Side("raw", "raw", "raw")

# The PIO interface on the same arrays: one sync of the file after all variables, and one after each; and from Fortran.
PIO = Side("PIO", "pio_scattered", "cdf5", arguments=("--mode", "darray"))
PIO_SYNC_EACH = Side("PIO, sync after each variable", "pio_scattered", "cdf5", arguments=("--mode", "sync_each"))
PIO_FORTRAN = Side("PIO, Fortran", "pio_scattered_fortran", "cdf5", arguments=("--mode", "darray"))
# The same in netCDF-4 files, as they are and with all variables deflated at level 1.
PIO_NETCDF4 = tuple(Side(name, "pio_scattered", form, arguments=("--mode", "darray", "--form", form))
                    for name, form in (("PIO, NETCDF4P", "netcdf4"), ("PIO, NETCDF4P deflated", "netcdf4z")))

_LAYERS = {"ompio": (), "romio": (("io", "romio321"),), "mpi-io": ()}  # names in Build.io_layers
_HINTS = {"default": (), "tuned": ("--tuned",)}


@dataclasses.dataclass(frozen=True)
class _Library:
    name: str
    program: str
    format: str
    modes: tuple[str, ...]
    family: str = ""  # the name, if empty


_PNETCDF_ROLES = {"nonblocking": "combined", "collective": "per variable"}
_LIBRARIES = {
    "hdf5": _Library("hdf5", "hdf5_peer", "h5", ("collective", "independent")),
    "pnetcdf": _Library("pnetcdf", "pnetcdf_peer", "nc", ("collective", "nonblocking")),
    "hdf5_pattern": _Library("hdf5", "hdf5_pattern", "hdf5", ("collective", "independent")),
    "pnetcdf_pattern": _Library("pnetcdf", "pnetcdf_pattern", "cdf", ("collective", "nonblocking")),
    "pnetcdf_btio": _Library("pnetcdf", "pnetcdf_pattern", "cdf", ("collective", "nonblocking", "independent")),
    "pnetcdf_loop": _Library("pnetcdf", "pnetcdf_varn", "cdf5", ("independent",), "pnetcdf loop"),
    "pnetcdf_varn": _Library("pnetcdf", "pnetcdf_varn", "cdf5", ("varn",)),
    "pnetcdf_rearranged": _Library("pnetcdf", "pnetcdf_rearranged", "cdf5", ("rearranged",), "pnetcdf rearranged"),
    "mpiio_pattern": _Library("mpiio", "mpiio_pattern", "bytes", ("collective", "independent")),
}
# Every rank's own pwrite and pread: a limit like raw, not a library.
_POSIX = Side("posix", "mpiio_pattern", "bytes", arguments=("--mode", "posix"))
_OWN_READERS = {"bytes": _POSIX, "hand": BY_HAND}
_READERS = {"h5": ("hdf5", "independent"), "nc": ("pnetcdf", "nonblocking"), "hdf5": ("hdf5_pattern", "independent"),
            "cdf": ("pnetcdf_pattern", "nonblocking")}


def peers_of(build: Build, library: str) -> list[Side]:
    """Every {mode} x {MPI-IO layer} x {hints} of a library; only Open MPI has two layers."""
    found = _LIBRARIES[library]
    roles = _PNETCDF_ROLES if found.name == "pnetcdf" else {}
    peers = [Side(f"{_named(build, found.name)} {mode} {setting}", found.program, found.format, peer=True,
                  arguments=("--mode", mode, *flags), mca=mca, family=found.family or found.name, role=roles.get(mode, ""))
             for mode in found.modes for setting, mca, flags in settings_of(build)]
    return [_POSIX, *peers] if found.name == "mpiio" else peers


def settings_of(build: Build) -> list[tuple[str, tuple, tuple[str, ...]]]:
    """Each MPI-IO layer with and without hints: what it is called, and the arguments of the launcher and of the program."""
    return [(f"{layer} {hints}", _LAYERS[layer], flags) for layer in build.io_layers for hints, flags in _HINTS.items()]


def _named(build: Build, library: str) -> str:
    """With its version, where that decides: PnetCDF 1.15 takes half the time of those before."""
    return f"pnetcdf {build.pnetcdf_version}".strip() if library == "pnetcdf" else library


def can_be_checked(file_format: str) -> bool:
    return file_format in _OWN_READERS or file_format in _READERS


def reader_of(build: Build, file_format: str) -> Side:
    """The side that checks files of a format, and makes those that are to be read; never ours."""
    if file_format in _OWN_READERS:
        return _OWN_READERS[file_format]
    library, mode = _READERS[file_format]
    layer = build.io_layers[-1]
    found = _LIBRARIES[library]
    return Side(f"{_named(build, found.name)} {mode} {layer} default", found.program, file_format, peer=True,
                arguments=("--mode", mode), mca=_LAYERS[layer])
