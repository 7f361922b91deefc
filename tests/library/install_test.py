#!/usr/bin/env python3
"""Other projects find the library: installed, with find_package and by hand; in a clone, with add_subdirectory and
FetchContent, without the libraries that only the command line tool needs."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
# What only the command line tool needs.
TOOL_LIBRARIES = re.compile(r"z3|pg_query|cadical|libpq|mariadb|sqlite|CLI11", re.IGNORECASE)

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--build", type=pathlib.Path, required=True)
arguments.add_argument("--generator", default="Ninja")


def run(*command, status=0, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)
    if done.returncode != status:
        raise AssertionError(f"{' '.join(map(str, command))}\nexits with {done.returncode}:\n{done.stdout}")
    return done.stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory(prefix="assay-install-")
        cls.top = pathlib.Path(cls.directory.name)
        cls.prefix = cls.top / "prefix"
        run("cmake", "--install", given.build, "--prefix", cls.prefix)
        cls.libraries = next(cls.prefix.rglob("libassay.a")).parent

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def says_what_the_example_says(self, output):
        self.assertRegex(output, r"ser\s+violated .*write-skew".replace(" ", r"\s"))
        self.assertRegex(output, r"si\s+holds")

    def test_find_package(self):
        build = self.top / "b"
        run("cmake", "-G", given.generator, "-S", EXAMPLES / "use-library", "-B", build,
            f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assertIn(str(self.prefix), (build / "CMakeCache.txt").read_text())
        self.assertFalse((build / "assay").exists(), "it built the clone")
        run("cmake", "--build", build)
        self.says_what_the_example_says(run(build / "example"))
        self.assertIn("ser: violated\nsi: holds\n", run(build / "example-c"))
        self.assertIn("lost-update", run(build / "example", EXAMPLES / "lost-update.hist"))
        self.assertIn("cannot open", run(build / "example", "/no/such/file", status=2))

    def test_shared_library_by_hand(self):
        run("cc", EXAMPLES / "use-library/example.c", "-I", self.prefix / "include", "-L", self.libraries, "-lassay",
            "-o", self.top / "by-hand")
        environment = dict(os.environ, LD_LIBRARY_PATH=str(self.libraries))
        self.assertIn("ser: violated\nsi: holds\n", run(self.top / "by-hand", env=environment))

    def test_python_module(self):
        module = next(self.prefix.rglob("assay/__init__.py")).parents[1]
        environment = dict(os.environ, PYTHONPATH=str(module))
        output = run(sys.executable, EXAMPLES / "python/check.py", EXAMPLES / "write-skew.hist", status=1,
                     env=environment)
        self.assertIn("ser violated write-skew", output)

    def test_tool(self):
        self.assertRegex(run(self.prefix / "bin/assay", "--version"), r"^assay \d+\.\d+\.\d+( \([0-9a-f]+(-changed)?\))?\n$")

    def test_headers_are_all_that_is_needed(self):
        for header in (self.prefix / "include/assay").iterdir():
            self.assertIsNone(re.search(r'#include "', header.read_text()), header)


def variables(build):
    """The lines of the cache that are no comments."""
    lines = (build / "CMakeCache.txt").read_text().splitlines()
    return "\n".join(line for line in lines if not line.startswith("//"))


class InAClone(unittest.TestCase):
    # Always in the same place, so that ccache knows what was compiled there before.
    def setUp(self):
        self.directory = given.build / "embedded"
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir()

    def tearDown(self):
        shutil.rmtree(self.directory)

    def configure(self, source):
        build = self.directory / "b"
        run("cmake", "-G", given.generator, "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Debug",
            "-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DCMAKE_DISABLE_FIND_PACKAGE_assay=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        self.assertIsNone(TOOL_LIBRARIES.search(variables(build)), "it looked for what only the tool needs")
        return build

    def test_add_subdirectory(self):
        build = self.configure(EXAMPLES / "use-library")
        self.assertNotIn("-Werror", (build / "compile_commands.json").read_text())
        run("cmake", "--build", build, "--target", "example")
        output = run(build / "example")
        self.assertIn("write-skew", output)
        self.assertIsNone(TOOL_LIBRARIES.search(run("ldd", build / "example")))

    # The targets are those of add_subdirectory, so configuring shows it.
    def test_fetch_content(self):
        (self.directory / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.25)
project(embedding LANGUAGES CXX)
include(FetchContent)
FetchContent_Declare(assay SOURCE_DIR "{ROOT}")
FetchContent_MakeAvailable(assay)
add_executable(embedding main.cpp)
target_link_libraries(embedding PRIVATE assay::assay)
install(TARGETS embedding)
""")
        (self.directory / "main.cpp").write_text("#include <assay/assay.h>\n#include <concepts>\nint main() {}\n")
        build = self.configure(self.directory)
        run("cmake", "--build", build, "--target", "CMakeFiles/embedding.dir/main.cpp.o")


if __name__ == "__main__":
    given = arguments.parse_args()
    unittest.main(argv=sys.argv[:1])
