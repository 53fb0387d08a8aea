"""check_signatures.py FOLDER HEADER COMPILER [OPTION...]: the C functions as the Fortran modules in FOLDER call them
(signatures.py), compared with their prototypes in HEADER, which COMPILER preprocesses."""

import re
import subprocess
import sys

folder, header, *command = sys.argv[1:]
sys.path.insert(0, folder)
sys.dont_write_bytecode = True
import signatures  # noqa: E402

# The types in C of a letter; T is the type of the values, and any type where there is no name for it.
TYPES = {
    "i": {"int", "const int", "nc_type"}, "l": {"PIO_Offset"}, "z": {"size_t"}, "f": {"float"}, "b": {"_Bool"},
    "J": {"const int*"}, "K": {"const int*"}, "I": {"int*", "nc_type*"}, "A": {"int*"}, "L": {"PIO_Offset*"},
    "N": {"PIO_Offset*"}, "M": {"const PIO_Offset*"}, "F": {"float*"}, "B": {"_Bool*"}, "P": {"int**", "PIO_Offset**"},
    "R": {"rearr_opt_t*"}, "G": {"const long int*"}, "s": {"const char*"}, "S": {"char*"},
    "x": {"const T*", "const void*"}, "v": {"const T*", "const void*"}, "X": {"T*", "void*"}, "V": {"T*", "void*"}}
VALUES = {"text": "char"}


def prototypes():
    text = subprocess.run([*command, "-E", "-P", "-xc", header], capture_output=True, text=True, check=True).stdout
    for name, arguments in re.findall(r"\bint\s+PIOc_(\w+)\s*\(([^()]*)\)\s*;", text):
        yield name, [] if arguments.strip() == "void" else [type_of(argument) for argument in arguments.split(",")]


def type_of(argument):
    """The type, without the name that follows it."""
    words = re.sub(r"\s*\*\s*", "* ", argument).strip()
    words = re.sub(r"\*\s+(?=\*)", "*", words)
    return words.rsplit(" ", 1)[0].strip().replace(" *", "*")


def main():
    declared = dict(prototypes())
    assert len(declared) > 200, sorted(declared)
    problems, compared = [], 0
    for name, arguments in signatures.functions():
        value = VALUES.get(name.rsplit("_", 1)[-1], name.rsplit("_", 1)[-1])
        expected = declared.get(name)
        if expected is None or len(expected) != len(arguments):
            problems.append(f"{name}: called with {len(arguments)} arguments, declared as {expected}")
            continue
        for (argument, letter), found in zip(arguments, expected):
            compared += 1
            if found not in {text.replace("T*", value + "*") for text in TYPES[letter]}:
                problems.append(f"{name}: {argument} is {found} in C, {signatures.LETTERS[letter]} in Fortran")
    print("\n".join(problems))
    print(f"{compared} arguments compared, {len(problems)} problems")
    return 1 if problems or not compared else 0


sys.exit(main())
