#!/usr/bin/env python3
"""Reads folders of the toy formats with json, and numpy, alone.

toy_reader.py FOLDER NAME...                  every variable v<k> has the element 1,000,000 k + i at i, and each NAME
                                              is among the variables; else exit code 1, and a line says what is not so
toy_reader.py --read FOLDER [VARIABLE OUT]... writes all elements of VARIABLE, in native byte order, to the file OUT
"""
import array
import json
import pathlib
import sys


class Folder:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        marks = [self.path / name for name in ("toy.json", "toy_large.json") if (self.path / name).exists()]
        if len(marks) != 1:
            raise ValueError(f"{path} is no folder of a toy format")
        self.description = json.loads(marks[0].read_text())
        self.variables = {variable["path"]: variable for variable in self.description["variables"]}

    def raw(self, name):
        """All bytes of a variable; what no object has is zero."""
        variable = self.variables[name]
        chunk_bytes = self.description["chunk_bytes"]
        count = 1
        for extent in variable["dims"]:
            count *= extent
        raw = bytearray(count * int(variable["type"][2:]))
        chunks = self.path / ("data" + name)
        for stored in chunks.iterdir() if chunks.exists() else []:
            if stored.name.startswith(".scorpio-put-"):
                continue  # of a run that was killed
            begin = int(stored.name) * chunk_bytes
            expected = min(chunk_bytes, len(raw) - begin)
            data = stored.read_bytes()
            if len(data) != expected:
                raise ValueError(f"{stored} has {len(data)} bytes, not {expected}")
            raw[begin : begin + expected] = data
        return bytes(raw)


def check(path, names):
    folder = Folder(path)
    for name, variable in folder.variables.items():
        if name.startswith("/v"):
            if variable["type"] != "<f8":
                raise ValueError(f"{name} has elements of type {variable['type']}")
            elements = array.array("d", folder.raw(name))
            first = 1e6 * int(name[2:])
            for i, element in enumerate(elements):
                if element != first + i:
                    raise ValueError(f"{name}[{i}] = {element}, expected {first + i}")
    for name in names:
        if "/" + name not in folder.variables:
            raise ValueError(f"{path} has no {name}")


def read(path, wanted):
    import numpy as np

    folder = Folder(path)
    for name, out in zip(wanted[::2], wanted[1::2]):
        elements = np.frombuffer(folder.raw(name), folder.variables[name]["type"])
        elements.astype(elements.dtype.newbyteorder("=")).tofile(out)


def main():
    try:
        if sys.argv[1] == "--read":
            read(sys.argv[2], sys.argv[3:])
        else:
            check(sys.argv[1], sys.argv[2:])
    except (OSError, ValueError, KeyError) as error:
        print(f"toy_reader: {error}")
        return 1
    return 0


sys.exit(main())
