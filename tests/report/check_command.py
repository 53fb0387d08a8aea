"""check_command.py COMMAND MODEL: what scorpio-report prints of the report of a run, and what it says of files that are
none."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COMMAND, MODEL = sys.argv[1:]


def said(*arguments):
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=20, check=False)
    return done.returncode, done.stdout, done.stderr


def check_tables(path):
    report = json.loads(path.read_text())
    code, out, err = said(path)
    assert (code, err) == (0, ""), (code, err)
    lines = out.splitlines()
    assert lines[0].startswith(f"SCORPIO {report['scorpio']}: I/O system 1, "), lines[0]
    files = report["files"]
    assert lines[-len(files) - 1] == "What would shorten the longest wait:", out
    for file, line in zip(files, lines[-len(files):]):
        assert line == f"{file['path']}: {file['advice']}", line
        rows = [row.split() for row in lines if row.endswith("  " + file["path"])]
        assert len(rows) == 1 + len(report["io_system"]["io_ranks"]), rows
        waits = file["waits_ns"]["most"]
        for column, name in enumerate(("copy", "back_pressure", "agreement", "reading", "end")):
            assert rows[0][2 + column] == f"{waits[name] / 1e9:.3f}", (name, rows[0])
        for row, of in zip(rows[1:], file["io_ranks"]):
            assert row[0] == str(of["rank"]) and row[5] == str(of["queued_slots"]), (row, of)
            assert row[4] == f"{of['write_ns'] / 1e9:.3f}", (row, of)
    assert any("close=post" in line for line in lines[-len(files):]), out
    assert "The longest queue of each I/O rank:" in lines
    return report


def check_refusal(path, text, expected):
    if text is not None:
        path.write_text(text)
    code, out, err = said(path)
    assert code == 1 and out == "" and err.startswith(f"scorpio-report: {path}: ") and expected in err, (code, out, err)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", "4", MODEL, folder], check=True, timeout=60,
                   env=os.environ | {"SCORPIO_REPORT": f"{name}/run.json", "SCORPIO_ASYNCHRONOUS": "true",
                                     "SCORPIO_STORE_FAULTS": "write:1+=10ms", "SCORPIO_BLOCK_BYTES": "64k",
                                     "SCORPIO_TRACE": f"{name}/trace.json"})
    report = check_tables(folder / "run.json")
    bad = folder / "bad.json"
    check_refusal(bad, None, "cannot be opened: No such file or directory")
    check_refusal(bad, "", "is empty")
    check_refusal(bad, json.dumps(report)[:1000], "is not JSON")
    check_refusal(bad, "[1]", "is not a report of SCORPIO")
    check_refusal(bad, json.dumps(report | {"schema": 2}), "has schema 2")
    check_refusal(bad, json.dumps(report | {"files": [{}]}), "is not a complete report")
    check_refusal(bad, json.dumps(report | {"io_system": 3}), "is not a complete report")
    check_refusal(folder / "trace.json", None, "is a trace")
    check_refusal(folder, None, "cannot be read: Is a directory")
    assert said()[0] == 1 and "usage: " in said()[2]
    assert said("a", "b")[0] == 1 and said("--wrong")[0] == 1
    assert said("--help")[0] == 0 and "usage: " in said("--help")[1]
    assert re.fullmatch(r"scorpio-report \d+\.\d+\.\d+\n", said("--version")[1]) and said("--version")[0] == 0
