#!/usr/bin/env python3
"""oracle.py make|check CLIENT FOLDER RANKS FAMILY: makes the files that a client reads, or compares those that it
wrote with what they must hold. Knows HDF5 through h5py only. Exit code 1 when something differs."""

import importlib
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "oracles"))

import common  # noqa: E402


def main():
    step, client, folder, ranks, family = sys.argv[1:]
    oracle = importlib.import_module(client)
    try:
        getattr(oracle, step)(pathlib.Path(folder), int(ranks), family)
    except (OSError, KeyError) as error:  # a file or a group that is not there
        common.problem(f"{step} ended with {error!r}")
        common.report()
        return 1
    return common.report() if step == "check" else 0


sys.exit(main())
