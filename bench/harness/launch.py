"""Starts the programs of a build folder under its MPI launcher and reads the JSON line that each prints."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTBED = ROOT.parent / "shared" / "testbed"

# Many ranks on few cores, also as root in a container. Other MPI libraries ignore these.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}


_GRACE_S = 10
_MOST_LINES = 40  # of what a failed run said: what the launcher says of an abort may come first, for each rank


class RunFailed(Exception):
    """A program ended badly, said nothing, or did not end in time."""


@dataclasses.dataclass
class Launched:
    line: dict  # what the program printed
    stderr: str


class Build:
    """A configured and built folder. Raises RunFailed if it is not one."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder.resolve()
        cache = self.folder / "CMakeCache.txt"
        if not cache.is_file():
            raise RunFailed(f"{self.folder} is no build folder: it has no CMakeCache.txt; run make bench")
        self.cache = dict(_cache_entries(cache.read_text()))
        self.mpiexec = self.cache.get("MPIEXEC_EXECUTABLE") or shutil.which("mpiexec") or "mpiexec"
        version = _version_text(self.mpiexec)
        # Open MPI has two MPI-IO layers, and ROMIO is the faster one.
        self.io_layers = ("ompio", "romio") if "Open MPI" in version or "OpenRTE" in version else ("mpi-io",)
        self.pnetcdf_version = self.cache.get("SCORPIO_BENCH_PNETCDF_VERSION", "")
        self.kind = self.cache.get("CMAKE_BUILD_TYPE") or "unknown"

    def program(self, name: str) -> pathlib.Path | None:
        for place in (self.folder / "bench" / "bin", self.folder / "demo" / "bin"):
            if (place / name).is_file():
                return place / name
        return None

    def slow_writes(self, rate: float) -> dict[str, str]:
        """Environment in which the files of each process take `rate` bytes a second; 0: as they are."""
        if rate == 0:
            return {}
        library = str(self.folder / "bench" / "bin" / "libbench_slow_writes.so")
        preloaded = [library, *os.environ.get("LD_PRELOAD", "").split()]
        return {"LD_PRELOAD": " ".join(preloaded), "BENCH_WRITE_RATE": str(rate)}

    def command(self, program: str, ranks: int, arguments: list[str], mca: dict[str, str] | None = None) -> list[str]:
        path = self.program(program)
        if path is None:
            raise RunFailed(f"{program} was not built in {self.folder}")
        layer = [part for key, value in (mca or {}).items() for part in ("--mca", key, value)]
        return [self.mpiexec, *layer, "-n", str(ranks), str(path), *arguments]

    def run(self, program: str, ranks: int, arguments: list[str], *, mca: dict[str, str] | None = None,
            wrapper: list[str] | None = None, environment: dict[str, str] | None = None,
            timeout_s: float = 300) -> Launched:
        """One run; the parsed line that begins with '{' (a wrapper may print more)."""
        command = [*(wrapper or []), *self.command(program, ranks, arguments, mca)]
        returncode, stdout, stderr = _run_to_end(command, environment or {}, timeout_s)
        lines = [text for text in stdout.splitlines() if text.startswith("{")]
        if returncode != 0 or not lines:
            said = "\n".join((stderr.strip() or stdout.strip()).splitlines()[:_MOST_LINES])
            raise RunFailed(f"exit code {returncode} of {' '.join(command)}\n{said}")
        return Launched(json.loads(lines[-1]), stderr)


def testbed_script(name: str) -> pathlib.Path | None:
    script = TESTBED / name
    return script if script.is_file() else None


def slow_opens(match: str, cost: str = "5ms") -> list[str] | None:
    """Wrapper under which every open of a file that matches asks one metadata server; None: no test bed."""
    script = testbed_script("iosim-run")
    return [str(script), f"MDS={cost}", f"MATCH={match}", "--"] if script else None


def _run_to_end(command: list[str], environment: dict[str, str], timeout_s: float) -> tuple[int, str, str]:
    # SIGPIPE stays ignored: mpirun of Open MPI, which sets its own handler only while the job runs, was ended by it.
    with subprocess.Popen(command, env={**os.environ, **MPI_ENVIRONMENT, **environment}, text=True, restore_signals=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            stdout, stderr = process.communicate(timeout=timeout_s)
        except BaseException as error:
            # On SIGTERM the launcher ends its ranks; on SIGKILL they would remain.
            process.terminate()
            try:
                process.wait(_GRACE_S)
            except subprocess.TimeoutExpired:
                process.kill()
            if isinstance(error, subprocess.TimeoutExpired):
                raise RunFailed(f"not ended after {timeout_s:.0f} s: {' '.join(command)}") from error
            raise
        return process.returncode, stdout, stderr


def _cache_entries(text: str):
    for line in text.splitlines():
        if line and not line.startswith(("#", "//")) and "=" in line:
            key, value = line.split("=", 1)
            yield key.split(":", 1)[0], value


def _version_text(mpiexec: str) -> str:
    try:
        ended = subprocess.run([mpiexec, "--version"], capture_output=True, text=True, timeout=30, check=False,
                               env={**os.environ, **MPI_ENVIRONMENT})
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RunFailed(f"the MPI launcher {mpiexec} does not start: {error}") from error
    return ended.stdout + ended.stderr
