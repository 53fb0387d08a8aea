"""lossy.py MODULE PROGRAM: random fields with missing values, rounded or encoded by zfp, as MODULE (h5py, netCDF4) reads them: no
element is farther from what was put than the attributes say, which is no more than the bound, and missing values keep all
bits. A second step, by a program that opens the file again, keeps the larger error. PROGRAM is lossy.c. Exit code 77: a
module or zfp is not there."""

import os
import subprocess
import sys
import tempfile

module, program = sys.argv[1:]
try:
    import hdf5plugin
    import numpy

    os.environ["HDF5_PLUGIN_PATH"] = hdf5plugin.PLUGINS_PATH
    reader = __import__(module)
except ImportError as missing_module:
    print(missing_module)
    sys.exit(77)

FIELDS = 100
STEPS, ROWS, COLUMNS = 2, 23, 30
FILL, MISSING = 1e20, -999.0
# Method and parameter of the program, and the bounds: absolute, relative, the largest relative one of a digit.
CASES = {
    "bitgroom": ("1", 3, None, 0.5e-3),
    "granular": ("2", 3, None, 5e-3),
    "bitround": ("3", 9, None, 2.0**-10),
    "zfp-accuracy": ("zfp", 2000 - 7, 2.0**-7, None),
    "zfp-precision": ("zfp", 16, None, None),
}


def random_fields(random):
    """[FIELDS][STEPS][ROWS][COLUMNS]: smooth or rough, of many magnitudes, most of them with missing values."""
    y, x = numpy.mgrid[0:ROWS, 0:COLUMNS]
    fields = numpy.empty((FIELDS, STEPS, ROWS, COLUMNS))
    for field in fields:
        for step in field:
            waves = numpy.sin(x / random.uniform(2, 9)) * numpy.cos(y / random.uniform(2, 9))
            noise = random.normal(size=waves.shape) * random.choice([0, 1e-3, 1])
            step[...] = (waves + noise + random.choice([0, 10, 300])) * 10.0 ** random.integers(-6, 5)
            step[random.random(step.shape) < random.choice([0, 0.02, 0.3])] = FILL
            step[random.random(step.shape) < random.choice([0, 0.02])] = MISSING
            # A land mask, whose edge has elements beside missing ones.
            if random.random() < 0.3:
                step[:, : random.integers(1, COLUMNS)] = FILL
            for special in (numpy.nan, -numpy.inf, 0.0):
                if random.random() < 0.1:
                    step[random.integers(ROWS), random.integers(COLUMNS)] = special
    return fields


def run(*arguments):
    command = [os.environ["SCORPIO_MPIRUN"], "-n", "3", program, *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def read(path):
    """{name: (elements, attributes)}"""
    found = {}
    with getattr(reader, "File" if module == "h5py" else "Dataset")(path) as file:
        if module == "h5py":
            for name, data in file.items():
                if name.startswith("v"):
                    found[name] = data[...], {key: data.attrs[key] for key in data.attrs if "loss" in key}
        else:
            file.set_auto_mask(False)
            for name, data in file.variables.items():
                found[name] = data[...], {key: data.getncattr(key) for key in data.ncattrs() if "loss" in key}
    return found


def check(field, step, elements, attributes, absolute, relative):
    """Compares one index of the first dimension; returns the number of elements that have changed."""
    put = field[step].astype(elements.dtype)
    now = elements[step]
    exact = ~numpy.isfinite(put) | (put == elements.dtype.type(FILL)) | (put == MISSING)
    assert put[exact].tobytes() == now[exact].tobytes(), "missing values have changed"
    assert numpy.isfinite(now[~exact]).all()
    assert not numpy.isin(now[~exact], numpy.array([FILL, MISSING], elements.dtype)).any()
    wide = put[~exact].astype("f8")
    error = numpy.abs(now[~exact].astype("f8") - wide)
    assert (error <= attributes["lossy_error_absolute"]).all(), (error.max(), attributes)
    if absolute is not None:
        assert attributes["lossy_bound_absolute"] == absolute
        assert attributes["lossy_error_absolute"] <= absolute
    else:
        assert "lossy_bound_absolute" not in attributes
    if relative is not None:
        assert abs(attributes["lossy_bound_relative"] / relative - 1) < 1e-12
        assert attributes["lossy_error_relative"] <= attributes["lossy_bound_relative"]
        valid = wide != 0
        assert (error[valid] / numpy.abs(wide[valid]) <= attributes["lossy_error_relative"]).all(), attributes
        assert (error[~valid] == 0).all()
    else:
        assert "lossy_error_relative" not in attributes and "lossy_bound_relative" not in attributes
    return numpy.count_nonzero(error)


def largest(field, steps, elements):
    """The largest error of valid elements, as it is in the file."""
    put, now = field[:steps].astype(elements.dtype).astype("f8"), elements[:steps].astype("f8")
    same = (put == now) | ~numpy.isfinite(put)
    return numpy.abs(numpy.where(same, 0, put - now)).max()


random = numpy.random.default_rng(20)
with tempfile.TemporaryDirectory() as folder:
    for case, (method, parameter, absolute, relative) in CASES.items():
        path, source = os.path.join(folder, case + ".nc"), os.path.join(folder, "input")
        fields = random_fields(random)
        fields.tofile(source)
        before, changed, lossless = {}, 0, 0
        for step in range(STEPS):
            written = run(step, path, source, FIELDS, method, parameter)
            if "not built in" in written.stderr:
                print("zfp is not built in")
                sys.exit(77)
            assert written.returncode == 0, written.stderr
            found = read(path)
            assert len([name for name in found if name.startswith("v")]) == FIELDS
            for number, field in enumerate(fields):
                elements, attributes = found[f"v{number}"]
                for written_step in range(step + 1):
                    changed += check(field, written_step, elements, attributes, absolute, relative)
                # Nothing but the elements of the variable has errors that count.
                error = largest(field, step + 1, elements)
                assert error <= attributes["lossy_error_absolute"] <= error * (1 + 1e-15), (case, number, error)
                for key, value in before.get(number, {}).items():
                    assert attributes[key] >= value, (case, number, key)
                before[number] = attributes
        lossless = sum(int(attributes.get("lossless_chunks", 0)) for attributes in before.values())
        assert changed > 0 and (lossless > 0) == (method == "zfp"), (case, changed, lossless)
        print(f"{case}: {2 * FIELDS} fields, {changed} elements changed, {lossless} chunks without zfp")
