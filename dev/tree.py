"""The files of the work tree that the checks look at."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE = {".h", ".hpp", ".c", ".cpp"}
_DECLARED = re.compile(r"^SCORPIO_(?:2012_)?API\s[^;(]*?\b(\w+)\(", re.MULTILINE)


def files(*folders, suffixes=None):
    """Paths below the folders (all if none is given), relative to ROOT; what git ignores is left out."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "--", *folders],
        cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0:
        names = [pathlib.Path(line) for line in listed.stdout.splitlines()]
    else:  # an unpacked archive
        starts = [ROOT / folder for folder in folders] or [ROOT]
        names = [path.relative_to(ROOT) for start in starts for path in start.rglob("*")]
        names = [path for path in names if path.parts[0] not in ("build", ".git")]
    return sorted(path for path in names
                  if (ROOT / path).is_file() and (suffixes is None or path.suffix in suffixes))


def text(path):
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


def declared_functions(header_text):
    """The names of the functions that a public header declares, in their order."""
    return _DECLARED.findall(header_text)


def layers(order="cmake/layers.txt"):
    """The folders of src/, or of a folder of it, from the lowest layer to the highest: sets of those that stand beside each other."""
    return [set(re.findall(r"\w+", level)) for level in text(order).split("<")]


def report(check, problems, looked_at):
    """Prints the problems, one a line, and returns the exit code."""
    for problem in problems:
        print(problem)
    print(f"{check}: {len(problems)} problems in {looked_at} files")
    return 1 if problems else 0
