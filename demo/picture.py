"""Draws which rank and which I/O rank held what. Arguments: output file, runs.json, picture to write."""

from __future__ import annotations

import json
import pathlib
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy  # noqa: E402
from matplotlib.colors import LightSource, ListedColormap  # noqa: E402
from matplotlib.patches import Patch  # noqa: E402

from domains import Domains  # noqa: E402

RANKS = 16
GRID = (4, 4)  # MPI_Dims_create(16, 2): the writing decomposition of the relief
_THIN = 3      # every third point of the relief is drawn
_TINT = 0.42
_IO_COLOURS = ("#d1495b", "#2e6f95", "#edae49", "#4f772d")
_RANK_COLOURS = [plt.get_cmap("tab20")(i) for i in (0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 1, 3, 5, 7, 9, 13)]


def share_starts(n: int, parts: int) -> list[int]:
    """Where the near-equal shares of [0, n) begin, and n."""
    each, more = divmod(n, parts)
    return [each * part + min(part, more) for part in range(parts + 1)]


def main() -> None:
    output, runs, picture = map(pathlib.Path, sys.argv[1:4])
    domains = Domains(output, json.loads(runs.read_text())["SCORPIO"][-1])
    with h5py.File(output) as file:
        relief = file["/relief/ROSE"][:]
    figure = plt.figure(figsize=(15, 13), layout="constrained")
    axes = figure.subplot_mosaic([["read", "write"], ["io", "io"], ["file", "file"]], height_ratios=[1, 1.3, 0.6])
    shaded = hillshade(relief)
    draw_readers(axes["read"], relief.shape, shaded)
    draw_writers(axes["write"], relief.shape, shaded)
    draw_io_ranks(axes["io"], relief, shaded, domains)
    draw_file(axes["file"], domains)
    figure.suptitle("One HDF5 file: 16 ranks read it by rows, hold it by blocks, and two I/O ranks write it",
                    fontsize=16)
    figure.savefig(picture, dpi=110)


def hillshade(relief: numpy.ndarray) -> numpy.ndarray:
    """Grey picture [rows, columns, 3], seas darker than land."""
    heights = relief[::_THIN, ::_THIN]
    light = LightSource(azdeg=315, altdeg=45).hillshade(heights, vert_exag=0.002, fraction=1.3)
    grey = numpy.clip(0.25 + 0.55 * light + 0.2 * (heights > 0), 0, 1)
    return numpy.repeat(grey[:, :, None], 3, axis=2)


def tint(axis, shaded: numpy.ndarray, colours: numpy.ndarray, shape: tuple[int, int]) -> None:
    """Colours [rows, columns, 3] over the grey relief, in coordinates of the dataset."""
    rows, columns = shape
    axis.imshow((1 - _TINT) * shaded + _TINT * colours, origin="lower", extent=(0, columns, 0, rows), aspect="auto")
    axis.set_xlim(0, columns)
    axis.set_ylim(0, rows)
    axis.set_xlabel("column of /relief/ROSE")
    axis.set_ylabel("row")


def label(axis, x: float, y: float, text: str, size: int = 13) -> None:
    axis.text(x, y, text, ha="center", va="center", fontsize=size, weight="bold",
              bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "alpha": 0.75, "edgecolor": "none"})


def draw_readers(axis, shape: tuple[int, int], shaded: numpy.ndarray) -> None:
    starts = share_starts(shape[0], RANKS)
    owner = numpy.searchsorted(starts, numpy.arange(shape[0])[::_THIN], side="right") - 1
    colours = numpy.array(_RANK_COLOURS)[owner, :3][:, None, :]
    tint(axis, shaded, colours, shape)
    for rank in range(RANKS):
        label(axis, shape[1] * (0.06 + 0.88 * rank / (RANKS - 1)), (starts[rank] + starts[rank + 1]) / 2, str(rank), 10)
    axis.set_title("Read: rank by rows")


def draw_writers(axis, shape: tuple[int, int], shaded: numpy.ndarray) -> None:
    starts = [share_starts(n, parts) for n, parts in zip(shape, GRID)]
    place = [numpy.searchsorted(s, numpy.arange(n)[::_THIN], side="right") - 1 for s, n in zip(starts, shape)]
    owner = place[0][:, None] * GRID[1] + place[1][None, :]
    tint(axis, shaded, numpy.array(_RANK_COLOURS)[owner][:, :, :3], shape)
    for rank in range(RANKS):
        row, column = divmod(rank, GRID[1])
        x = (starts[1][column] + starts[1][column + 1]) / 2
        label(axis, x, (starts[0][row] + starts[0][row + 1]) / 2, str(rank))
    axis.set_title("Held when written: rank by block")


def io_colour(domains: Domains, rank: int) -> str:
    return _IO_COLOURS[domains.io_ranks.index(rank) % len(_IO_COLOURS)]


def draw_io_ranks(axis, relief: numpy.ndarray, shaded: numpy.ndarray, domains: Domains) -> None:
    rows, columns = relief.shape
    name, offset, _ = next(item for item in domains.datasets if item[0] == "relief/ROSE")
    element = relief.dtype.itemsize
    index = numpy.arange(rows)[::_THIN, None] * columns + numpy.arange(columns)[None, ::_THIN]
    turn = (offset + element * index) // domains.owned_bytes % len(domains.io_ranks)
    palette = ListedColormap([io_colour(domains, rank) for rank in domains.io_ranks])
    tint(axis, shaded, palette(turn)[:, :, :3], relief.shape)
    for at, end, piece, owner in domains.pieces():
        if piece == name:
            middle = ((at + end) / 2 - offset) / element / columns
            label(axis, columns * 0.015, middle, f"{owner}", 11)
    axis.legend(handles=io_legend(domains), loc="lower right", framealpha=0.9)
    axis.set_title(f"Written: I/O rank by {domains.owned_bytes / 2**20:g} MiB of the file")


def io_legend(domains: Domains) -> list[Patch]:
    return [Patch(color=io_colour(domains, rank), label=f"I/O rank {rank}: {domains.bytes_of(rank) / 1e6:.1f} MB")
            for rank in domains.io_ranks]


def draw_file(axis, domains: Domains) -> None:
    for at, end, _, owner in domains.pieces():
        axis.barh(0, (end - at) / 1e6, left=at / 1e6, height=1, color=io_colour(domains, owner), edgecolor="white",
                  linewidth=0.3)
    top = len(domains.datasets)
    for i, (name, offset, _) in enumerate(domains.datasets):
        height = 0.8 + 0.42 * (top - 1 - i)  # leftmost highest: names of small datasets lie close together
        axis.plot([offset / 1e6] * 2, [-0.5, height], color="black", linewidth=1)
        axis.text(offset / 1e6 + 1, height, f"/{name}", fontsize=11, ha="left", va="center")
    axis.set_ylim(-0.5, 1.0 + 0.42 * top)
    axis.margins(x=0.005)
    axis.set_yticks([])
    axis.set_xlabel("place in the file, MB")
    axis.set_title("The whole file: datasets, and the I/O rank that wrote each part")
    for side in ("left", "right", "top"):
        axis.spines[side].set_visible(False)


if __name__ == "__main__":
    main()
