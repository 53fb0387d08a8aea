"""The files of patterns.c; boxes.h has the same rules."""

import h5py
import numpy as np

import common


def dims_of(ndims, ranks):
    return (2 * ranks + 3, 3, 2, 2)[:ndims]


def make(folder, ranks, family):
    with h5py.File(folder / "in.h5", "w") as file:
        for kind in common.TYPES:
            for ndims in range(1, 5):
                name = f"in/{kind}/{ndims}"
                data = common.whole(kind, dims_of(ndims, ranks), common.seed_of(name))
                if kind == "byte" and family == "scorpio":
                    data = data.view("V1")
                file[name] = data


def uniform(kind, dims, seed, ranks):
    return common.whole(kind, dims, seed)


def entire(kind, dims, seed, ranks):
    return common.whole(kind, dims, seed)


def nonuniform(kind, dims, seed, ranks):
    data = common.whole(kind, dims, seed)
    data[sum((3, 0, 2)[rank % 3] for rank in range(ranks)):] = 0
    return data


def block(kind, dims, seed, ranks):
    data = np.zeros(dims, common.DTYPES[kind])
    for call in range(2):
        for rank in range(ranks):
            if call == 1 and rank % 3 != 0:
                continue
            first = 2 * (ranks - 1 - rank if call == 0 else rank)
            place = (slice(first, first + 5),) + ((slice(rank % 2, rank % 2 + 2),) if len(dims) > 1 else ())
            data[place] = common.whole(kind, dims, seed + 100 * call + rank)[place]
    return data


def indexed(kind, dims, seed, ranks):
    index = np.arange(np.prod(dims))
    owner = index % ranks
    winner = np.where(index % 4 == 0, np.maximum(owner, (owner + 1) % ranks), owner)
    data = common.values(kind, index, seed + winner)
    data[index % 11 == 10] = 0
    return data.reshape(dims)


EXPECTED = {"uniform": uniform, "nonuniform": nonuniform, "entire": entire, "block": block, "indexed": indexed,
            "noncontiguous": indexed}


def check(folder, ranks, family):
    sizes = sorted({size for size in (1, 2, 3) if size < ranks} | {ranks})
    for size in sizes:
        with h5py.File(folder / f"out_g{size}.h5") as file:
            common.check_names(file, [*EXPECTED, "other"])
            for name, expected in (("other/1", uniform), ("other/2", nonuniform)):
                common.check_array(file, name, "long", expected("long", dims_of(3, ranks), common.seed_of(name), ranks))
            for pattern, expected in EXPECTED.items():
                for kind in common.TYPES:
                    for ndims in range(1, 5):
                        name = f"{pattern}/{kind}/{ndims}"
                        common.check_array(file, name, kind, expected(kind, dims_of(ndims, ranks),
                                           common.seed_of(name), ranks), kind == "byte" and family == "scorpio")
