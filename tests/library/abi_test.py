#!/usr/bin/env python3
"""Programs that were compiled with an older header go on to run: what libassay.so exports, the sizes and offsets of the
structs that it shares with them and the values of enumerations are those of abi.txt, and the Python module knows the
same structs.

A difference is either a mistake, or a change that needs another SOVERSION where it is not an addition. Then
`abi_test.py --write` with the other options writes the new abi.txt.
"""

import argparse
import ctypes
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HEADER = ROOT / "include/assay/assay_c.h"
EXPECTED = HERE / "abi.txt"

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--library", type=pathlib.Path, required=True)
arguments.add_argument("--python", type=pathlib.Path, required=True, help="the directory of the Python module")
arguments.add_argument("--compiler", default="cc")
arguments.add_argument("--write", action="store_true")


def declarations():
    return re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)


def declared_functions():
    return sorted(re.findall(r"ASSAY_API [^;(]*?\b(assay_\w+)\(", declarations()))


def structs():
    """Each struct with the names of its members."""
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", declarations(), re.DOTALL):
        body = re.sub(r"\(\*(\w+)\)\([^)]*\)", r"\1", body)
        members = [re.findall(r"\w+", part)[-1] for line in body.split(";") for part in line.split(",") if part.strip()]
        yield name, members


def enumerators():
    for body in re.findall(r"typedef enum \w+ ASSAY_INT \{(.*?)\}", declarations(), re.DOTALL):
        yield from re.findall(r"\b(ASSAY_\w+) =", body)


def layout(compiler):
    """Lines about structs and enumerations, as the compiler sees them."""
    lines = []
    for name, members in structs():
        lines.append(f'printf("struct {name} %zu\\n", sizeof({name}));')
        lines += [f'printf("  {name}.{member} %zu\\n", offsetof({name}, {member}));' for member in members]
    lines += [f'printf("value {name} %d\\n", (int){name});' for name in enumerators()]
    program = "#include <assay/assay_c.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\nreturn 0;\n}\n"
    with tempfile.TemporaryDirectory() as directory:
        source, binary = pathlib.Path(directory, "layout.c"), pathlib.Path(directory, "layout")
        source.write_text(program)
        subprocess.run([compiler, "-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-I", ROOT / "include",
                        source, "-o", binary], check=True)
        return subprocess.run([binary], check=True, capture_output=True, text=True).stdout.splitlines()


def exported(library):
    """Every symbol that the library defines for others, but the name of its version."""
    table = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    names = [line.split()[2] for line in table.splitlines() if line.split()[1] != "A"]
    return sorted(f"export {name}" for name in names)


class Abi(unittest.TestCase):
    maxDiff = None

    def test_is_what_the_list_says(self):
        expected = [line for line in EXPECTED.read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(expected, exported(given.library) + layout(given.compiler))

    def test_exports_what_the_header_declares(self):
        self.assertGreater(len(declared_functions()), 30)
        self.assertEqual(exported(given.library), [f"export {name}@@ASSAY_0" for name in declared_functions()])

    def test_python_module_knows_the_same_structs(self):
        sys.path.insert(0, str(given.python))
        from assay import _library  # pylint: disable=import-outside-toplevel
        lines = dict(line.strip().removeprefix("struct ").split() for line in layout(given.compiler)
                     if not line.startswith("value"))
        known = {"assay_error": "CError", "assay_finding": "CFinding", "assay_explanation": "CExplanation",
                 "assay_claim": "CClaim", "assay_level": "CLevel", "assay_format": "CFormat"}
        for name, members in structs():
            python = known.get(name) or "".join(word.title() for word in name.split("_")[1:])
            struct = getattr(_library, python)
            self.assertEqual(ctypes.sizeof(struct), int(lines[name]), name)
            self.assertEqual([member for member, *_ in struct._fields_], members)
            for member in members:
                self.assertEqual(getattr(struct, member).offset, int(lines[f"{name}.{member}"]), f"{name}.{member}")

    def test_python_module_asks_for_this_library(self):
        sys.path.insert(0, str(given.python))
        from assay import _library  # pylint: disable=import-outside-toplevel
        dynamic = subprocess.run(["readelf", "-d", given.library], check=True, capture_output=True, text=True).stdout
        self.assertIn(f"Library soname: [{_library.SONAME}]", dynamic)


if __name__ == "__main__":
    given = arguments.parse_args()
    if given.write:
        EXPECTED.write_text("# What abi_test.py compares; written by it.\n" +
                            "\n".join(exported(given.library) + layout(given.compiler)) + "\n")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
