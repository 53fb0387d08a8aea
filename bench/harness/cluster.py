"""Hosts of the test bed: namespaces of this machine with links between them, on which a build's programs run."""

from __future__ import annotations

import contextlib
import os
import pathlib
import subprocess
import tempfile

from harness.launch import Build, RunFailed, testbed_script

_ENVIRONMENT = {"TB_NAME": f"bench{os.getpid()}"}
_TIMEOUT_S = 60


def missing() -> str | None:
    """Why there can be no hosts here; None: there can."""
    if testbed_script("tb") is None or testbed_script("tb-mpirun") is None:
        return "the test bed is not here"
    return None if os.geteuid() == 0 else "the test bed needs root"


class Cluster:
    """While it lives there are hosts, and a folder that all of them see. Raises RunFailed if they do not start."""

    def __init__(self, hosts: int):
        self.hosts = hosts
        self.folder: pathlib.Path | None = None

    def __enter__(self) -> Cluster:
        # The hosts see what is mounted before they start.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scorpio-hosts-", dir="/var/tmp"))
        try:
            _run("mount", "-t", "tmpfs", "-o", "size=4g", "scorpio-hosts", str(self.folder))
            self.call("up", str(self.hosts))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        for command in ([str(testbed_script("tb")), "down"], ["umount", "-l", str(self.folder)]):
            subprocess.run(command, env={**os.environ, **_ENVIRONMENT}, capture_output=True, timeout=_TIMEOUT_S, check=False)
        with contextlib.suppress(OSError):  # still mounted; the failure of the body is told
            self.folder.rmdir()

    def call(self, *arguments: str) -> None:
        _run(str(testbed_script("tb")), *arguments)

    def limit_links(self, rate: str) -> None:
        """Of what each host sends: as 1gbit, or off."""
        for host in range(self.hosts):
            self.call("rate", f"n{host}", rate)


class ClusterBuild(Build):
    """The programs of a build folder on the hosts of a cluster: as many ranks on each."""

    def __init__(self, folder: pathlib.Path, cluster: Cluster):
        super().__init__(folder)
        self.cluster = cluster

    def command(self, program: str, ranks: int, arguments: list[str], mca: dict[str, str] | None = None) -> list[str]:
        if ranks % self.cluster.hosts != 0:
            raise RunFailed(f"{ranks} ranks cannot be spread evenly over {self.cluster.hosts} hosts")
        _, *rest = super().command(program, ranks, arguments, mca)
        at = rest.index("-n")
        passed_on = ["-x", "LD_LIBRARY_PATH"] if "LD_LIBRARY_PATH" in os.environ else []
        return [str(testbed_script("tb-mpirun")), str(ranks // self.cluster.hosts), *rest[:at], *passed_on,
                *rest[at + 2:]]

    def run(self, program: str, ranks: int, arguments: list[str], **others):
        others["environment"] = {**_ENVIRONMENT, **(others.get("environment") or {})}
        return super().run(program, ranks, arguments, **others)


def _run(*command: str) -> None:
    ended = subprocess.run(command, env={**os.environ, **_ENVIRONMENT}, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    if ended.returncode != 0:
        raise RunFailed(f"exit code {ended.returncode} of {' '.join(command)}\n{(ended.stderr or ended.stdout).strip()}")
