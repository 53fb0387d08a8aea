"""Files with decompositions for the tests of scorpio-plan, and what the command says of them."""

import json
import subprocess


def write_text(path, dims, maps, end="ioid\t512\n"):
    """PIO's text form; maps from 1, 0 is a hole."""
    with path.open("w") as file:
        print("version 2001 npes", len(maps), "ndims", len(dims), file=file)
        print(*dims, file=file)
        for rank, one in enumerate(maps):
            print(rank, len(one), file=file)
            print(*one, file=file)
        file.write(end)


def said(command, *arguments, environment=None):
    done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False,
                          env=environment)
    return done.returncode, done.stdout, done.stderr


def planned(command, *arguments):
    code, out, err = said(command, *arguments, "--json")
    assert (code, err) == (0, ""), (code, err)
    return json.loads(out)


def maps_of(dataset, name):
    """Those of one decomposition of a file of the E3SM I/O benchmark, as in PIO's text form."""
    counts, starts, lengths, held = (dataset[f"{name}.{what}"][:].tolist()
                                     for what in ("nreqs", "offsets", "lengths", "fill_starts"))
    dims = dataset.getncattr(f"{name}.dims")
    maps, at = [], 0
    for count, with_data in zip(counts, held):
        runs = list(zip(starts, lengths))[at:at + with_data]
        maps.append([start + i + 1 for start, length in runs for i in range(length)])
        at += count
    return [int(extent) for extent in (dims if hasattr(dims, "__len__") else [dims])], maps
