"""read_netcdf4.py FOLDER: the files of write_netcdf4.c, read with netCDF4 and by ncdump. Exit code 77: they are not there."""

import shutil
import subprocess
import sys

try:
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)
if shutil.which("ncdump") is None:
    print("there is no ncdump")
    sys.exit(77)

ROWS, COLUMNS, RECORDS = 4, 5, 3
COMPRESSED = {3: True, 4: False, 8: False, 9: True}


def check_contents(file):
    assert file.data_model == "NETCDF4", file.data_model
    assert list(file.dimensions) == ["time", "y", "x", "member"]
    assert file.dimensions["member"].isunlimited() and len(file.dimensions["member"]) == ROWS
    assert file.dimensions["time"].isunlimited() and len(file.dimensions["time"]) == RECORDS
    assert list(file.variables) == ["time", "T", "area", "tiled", "label", "one", "big", "members", "notes", "ensemble"]
    assert file.title == "a model" and file.history == "late"
    assert file.numbers.dtype == numpy.int64 and file.numbers.tolist() == [-5000000000, 7]
    temperature = file.variables["T"]
    assert temperature.dimensions == ("time", "y", "x") and temperature.units == "K"
    assert temperature.few.dtype == numpy.uint8 and temperature.few.tolist() == [0, 255]
    assert temperature.members == ["first", "second one"] and temperature.member == "first"
    expected = numpy.array([[100 * record + (i + 1) / 2 for i in range(ROWS * COLUMNS)] for record in range(RECORDS)])
    found = temperature[:].reshape(RECORDS, -1)
    assert numpy.array_equal(found[:, :-1], expected[:, :-1]), found
    assert found.mask[:, -1].all() and temperature._FillValue == numpy.float32(-1e30)
    assert file.variables["time"][:].tolist() == [0, 6, 12]
    assert file.variables["area"][:].ravel().tolist() == [3000000000 * i for i in range(ROWS * COLUMNS)]
    assert file.variables["tiled"].dtype == numpy.uint16
    file.variables["tiled"].set_auto_mask(False)
    assert file.variables["tiled"][0].tolist() == [1, 2, 3, 65535, 0]
    assert file.variables["label"][:].tobytes() == b"abcde"
    assert file.variables["one"][...] == 0.5
    assert file.variables["members"][:].tolist() == ["r1", "", "a third row", "r4"], file.variables["members"][:]
    assert file.variables["notes"][:].tolist()[1] == "the second record", file.variables["notes"][:]
    big = file.variables["big"]
    big.set_auto_mask(False)
    assert numpy.array_equal(big[:].reshape(RECORDS, -1)[:, :-1], expected[:, :-1]), big[:]
    assert (big[:].reshape(RECORDS, -1)[:, -1] == numpy.float32(-1e30)).all()
    ensemble = file.variables["ensemble"]
    ensemble.set_auto_mask(False)
    assert ensemble.dimensions == ("time", "member", "x") and numpy.array_equal(ensemble[:], big[:]), ensemble[:]
    assert [file.variables[name].endian() for name in ("big", "area", "tiled", "T")] == ["big", "big", "little", "little"]


def check_storage(file, compressed):
    for name in ("time", "T", "area", "label"):
        filters = file.variables[name].filters()
        assert filters["zlib"] == compressed and not filters["shuffle"], (name, filters)
        assert filters["complevel"] == (1 if compressed else 0), (name, filters)
    filters = file.variables["tiled"].filters()
    assert filters["zlib"] and filters["shuffle"] and filters["complevel"] == 4, filters
    assert file.variables["tiled"].chunking() == [2, 3]
    assert not file.variables["one"].filters()["zlib"]


def check_text(path):
    text = subprocess.run(["ncdump", "-s", path], check=True, capture_output=True, text=True).stdout
    for line in ("time = UNLIMITED ; // (3 currently)", "float T(time, y, x) ;", "int64 area(y, x) ;", "double one ;",
                 'string T:members = "first", "second one" ;', ":numbers = -5000000000LL, 7LL ;", "tiled:_ChunkSizes = 2, 3 ;", 'label = "abcde" ;', "string members(y) ;",
                 'members = "r1", _, "a third row", "r4" ;',
                 ':_Format = "netCDF-4" ;'):
        assert line in text, f"{line}\nis not in\n{text}"


for iotype, is_compressed in COMPRESSED.items():
    name = f"{sys.argv[1]}/type{iotype}.nc"
    with netCDF4.Dataset(name) as opened:
        check_contents(opened)
        check_storage(opened, is_compressed)
    check_text(name)
