"""The files of skipped.c: each has the datasets of its list, and no others."""

import h5py

import common


def make(folder, ranks, family):
    pass


def datasets(file):
    found = []
    file.visititems(lambda name, item: found.append("/" + name) if isinstance(item, h5py.Dataset) else None)
    return found


def check(folder, ranks, family):
    lists = sorted(folder.glob("*.txt"))
    common.check(lists, "no list of what was written")
    for path in lists:
        wanted = {}
        for line in path.read_text().splitlines():
            rows, _, name = line.partition(" ")
            wanted[name] = int(rows)
        with h5py.File(path.with_suffix(".h5")) as file:
            common.equal(f"{path.stem}: datasets", sorted(wanted), sorted(datasets(file)))
            for name, rows in wanted.items():
                common.check_array(file, name, "double", common.whole("double", (rows, 3), common.seed_of(name)))
