#!/usr/bin/env python3
"""Runs the commands that a document shows and compares what they print with what it says.

In a block fenced by ```sh a line that begins with "$ " is a command (a backslash at its end
continues it); the lines up to the next one are what it prints, on either stream, exactly, except
that ... matches anything. "# exit N" at the end of a command is its exit code, otherwise 0. Blocks
without "$ " are not run.

All commands of a document run in order in one empty directory, with `assay` in the PATH, ./assay,
examples/ and build/python/ there.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COMMAND_SECONDS = 60


class Step:
    def __init__(self, line, command):
        self.line = line
        self.command = command
        self.exit_code = 0
        self.expected = []

    def finish(self):
        code = re.search(r"\s# exit (\d+)\s*$", self.command)
        if code:
            self.exit_code = int(code.group(1))
            self.command = self.command[: code.start()]

    def pattern(self):
        text = "\n".join(self.expected).rstrip()
        return ".*".join(re.escape(part) for part in text.split("..."))


def steps_of(document):
    steps, fence, continued = [], None, False
    for number, line in enumerate(document.splitlines(), 1):
        opening = re.match(r"\s*(```+)\s*(\S*)", line)
        if fence is None:
            if opening:
                fence = opening.group(1)
                shell = opening.group(2) == "sh"
                current = None
        elif line.strip() == fence:
            if continued:
                raise ValueError(f"line {number}: the block ends in the middle of a command")
            fence = None
        elif not shell:
            continue
        elif continued:
            current.command += "\n" + line
            continued = line.endswith("\\")
        elif line.startswith("$ "):
            current = Step(number, line[2:])
            steps.append(current)
            continued = line.endswith("\\")
        elif current is not None:
            current.expected.append(line)
    if fence is not None:
        raise ValueError("a block is not closed")
    for step in steps:
        step.finish()
    return steps


def run(step, directory, environment):
    """What is wrong with the step, or None."""
    try:
        done = subprocess.run(["bash", "-c", step.command], cwd=directory, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=COMMAND_SECONDS)
    except subprocess.TimeoutExpired:
        return f"did not end within {COMMAND_SECONDS} seconds"
    output = done.stdout.decode(errors="replace").rstrip()
    if done.returncode != step.exit_code:
        return f"exits with {done.returncode}, the document says {step.exit_code}; it prints:\n{output}"
    if not re.fullmatch(step.pattern(), output, re.DOTALL):
        expected = "\n".join(step.expected).rstrip()
        return f"prints:\n{output}\n--- the document says:\n{expected}"
    return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--assay", type=pathlib.Path, required=True)
    arguments.add_argument("--examples", type=pathlib.Path)
    arguments.add_argument("--python", type=pathlib.Path, help="the directory of the Python module")
    arguments.add_argument("document", type=pathlib.Path)
    given = arguments.parse_args()

    steps = steps_of(given.document.read_text())
    failures = 0
    with tempfile.TemporaryDirectory(prefix="assay-docs-") as directory:
        os.symlink(given.assay.resolve(), os.path.join(directory, "assay"))
        if given.examples is not None:
            os.symlink(given.examples.resolve(), os.path.join(directory, "examples"))
        if given.python is not None:
            os.mkdir(os.path.join(directory, "build"))
            os.symlink(given.python.resolve(), os.path.join(directory, "build/python"))
        environment = dict(os.environ, PATH=directory + os.pathsep + os.environ["PATH"], LC_ALL="C.UTF-8")
        for step in steps:
            problem = run(step, directory, environment)
            if problem is not None:
                failures += 1
                print(f"{given.document}:{step.line}: $ {step.command}\n{problem}\n")
    print(f"{given.document}: {len(steps)} commands, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
