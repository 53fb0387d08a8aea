"""The demonstration: real fields read on 16 ranks, redistributed, and written with 2 I/O ranks into one HDF5 file; and
a record of which every rank holds scattered columns, written into one netCDF file.

Compares every dataset with its source by h5diff, prints where the time went beside the same job by parallel HDF5 (the
record: by PnetCDF) on all ranks, and draws which rank and which I/O rank held what. Exit code 1 when a run failed or a dataset differs."""

from __future__ import annotations

import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "bench"))

import columns  # noqa: E402
import prepare  # noqa: E402
from domains import Domains  # noqa: E402
from harness.display import number, progress, show_table  # noqa: E402
from harness.launch import ROOT, Build, RunFailed  # noqa: E402
from harness.rows import write_json  # noqa: E402

RANKS = 16
IO_RANKS = 2
OURS = "SCORPIO"
OUTPUT_FILE = "output.h5"
_PHASES = ("init", "open", "read", "redistribute", "write", "close")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path, default=ROOT / "build" / "openmpi-release")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build" / "demo")
    parser.add_argument("--scratch", type=pathlib.Path, default=pathlib.Path("/dev/shm"), help="for 1.2 GB of files")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each side; the median counts")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix="scorpio-demo-", dir=arguments.scratch) as scratch:
            return demonstrate(Build(arguments.build_dir), arguments, pathlib.Path(scratch))
    except (RunFailed, prepare.Missing) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1


def demonstrate(build: Build, arguments: argparse.Namespace, scratch: pathlib.Path) -> int:
    commands = sides_of(build)
    scattered = columns.sides_of(build, OURS)
    with progress("demo", arguments.repeat * (len(commands) + len(scattered)) + 3) as step:
        step("making the input with nccopy and h5py")
        prepare.make_inputs(scratch)
        lines = run_all(build, commands, arguments.repeat, scratch, step)
        lines_scattered = columns.run_all(build, scattered, RANKS, IO_RANKS, arguments.repeat, scratch, step)
        step("comparing with h5diff")
        compared = [(target, prepare.same(scratch / source, name, scratch / OUTPUT_FILE, target))
                    for source, name, target in prepare.DATASETS]
        shutil.copyfile(scratch / OUTPUT_FILE, arguments.output / OUTPUT_FILE)
        step("drawing")
        ours = lines[OURS][-1]
        domains = Domains(arguments.output / OUTPUT_FILE, ours)
        write_json(arguments.output, "runs", lines)
        write_json(arguments.output, "runs_scattered", lines_scattered)
        picture = draw(arguments.output)
    show_times(lines, _PHASES, "real fields, redistributed; MB/s over the bytes read and written")
    show_counts(ours, domains)
    show_times(lines_scattered, columns.PHASES, columns.TITLE)
    print("columns: all elements of all files equal to what was written, read by netCDF4")
    for target, equal in compared:
        print(f"h5diff: {target}: {'all elements equal to the source' if equal else 'elements DIFFER from the source'}")
    print(f"file: {arguments.output / OUTPUT_FILE}\npicture: {picture}")
    return 0 if all(equal for _, equal in compared) else 1


def sides_of(build: Build) -> dict[str, tuple[str, list[str], dict[str, str]]]:
    """Name: program, arguments, MPI parameters."""
    sides = {OURS: ("relief", [], {})}
    if build.program("hdf5_way"):
        sides["HDF5 collective"] = ("hdf5_way", ["--mode", "collective"], {})
        sides["HDF5 independent"] = ("hdf5_way", ["--mode", "independent"], {})
        if "romio" in build.io_layers:
            sides["HDF5 coll. ROMIO tuned"] = ("hdf5_way", ["--mode", "collective", "--tuned"], {"io": "romio321"})
    else:
        print("not run: parallel HDF5, for it was not built for this MPI library")
    return sides


def run_all(build: Build, commands: dict, repeat: int, scratch: pathlib.Path, step) -> dict[str, list[dict]]:
    """All sides in turn; the file of our last run is left."""
    lines: dict[str, list[dict]] = {name: [] for name in commands}
    for repetition in range(repeat):
        for name, (program, options, mca) in list(commands.items())[:: 1 if repetition % 2 == 0 else -1]:
            step(f"{RANKS} ranks: {name}")
            path = scratch / (OUTPUT_FILE if name == OURS else "other.h5")
            path.unlink(missing_ok=True)
            command = ["--input", str(scratch), "--file", str(path), "--io-ranks", str(IO_RANKS), *options]
            lines[name].append(build.run(program, RANKS, command, mca=mca).line)
            if name != OURS:
                path.unlink()
    return lines


def draw(output: pathlib.Path) -> pathlib.Path:
    path = output / "who-holds-what.png"
    command = [sys.executable, str(HERE / "picture.py"), str(output / OUTPUT_FILE), str(output / "runs.json"),
               str(path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise RunFailed(f"the picture could not be drawn:\n{ended.stderr.strip()[-800:]}")
    return path


def show_times(lines: dict[str, list[dict]], phases: tuple[str, ...], what: str) -> None:
    """Wall clock of the slowest rank, per phase; ours is put in relation to each other side."""
    total = {name: statistics.median(line["time_s"] for line in runs) for name, runs in lines.items()}
    table = []
    for name, runs in lines.items():
        spent = [number(statistics.median(line["phases_s"][phase] for line in runs), ".3f") for phase in phases]
        table.append([name, *spent, number(total[name], ".3f"), number(runs[-1]["bytes"] / total[name] / 1e6, ".0f"),
                      number(total[name] / total[OURS], ".2f")])
    header = ["seconds in", *phases, "all", "MB/s", "of SCORPIO's time"]
    show_table(f"{RANKS} ranks, median of {len(lines[OURS])}: {what}", header, table)


def show_counts(ours: dict, domains: Domains) -> None:
    table = []
    for title, counters in (("reading", ours["counters_reading"]), ("writing", ours["counters_writing"])):
        total = {name: sum(values) for name, values in counters.items()}
        kind = "reads" if title == "reading" else "writes"
        moved = total["bytes_read"] if title == "reading" else total["bytes_written"]
        boundaries = total["aligned_writes"] + total["unaligned_writes"]
        table.append([
            f"SCORPIO {title}", str(total["opens"]), str(total[kind]), number(moved / max(1, total[kind]) / 2**20),
            number(total["aligned_writes"] / boundaries if boundaries else None),
            number(max(counters["staging_peak_bytes"]) / 2**20, ".1f"),
            *(number(max(counters[f"time_{part}_ns"]) * 1e-9, ".3f") for part in ("exchange", "io", "wait"))])
    header = ["counted", "opens", "calls", "MiB per call", "share aligned", "staging MiB per I/O rank",
              "s communicating", "s in I/O", "s waiting"]
    show_table(f"{IO_RANKS} I/O ranks (times: slowest rank)", header, table)
    for line in domains.summary():
        print(line)


if __name__ == "__main__":
    sys.exit(main())
