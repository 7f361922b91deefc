#!/usr/bin/env python3
"""Documents that are right and documents that are wrong: run_document.py must tell them apart."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent


def run(document):
    with tempfile.TemporaryDirectory() as directory:
        assay = pathlib.Path(directory, "fake-assay")
        assay.write_text('#!/bin/sh\necho "called with $*"\n[ "$1" != bad ]\n')
        assay.chmod(0o755)
        examples = pathlib.Path(directory, "examples")
        examples.mkdir()
        (examples / "one.hist").write_text("S1: w(x,1)\n")
        path = pathlib.Path(directory, "page.md")
        path.write_text(document)
        done = subprocess.run([sys.executable, HERE / "run_document.py", "--assay", assay, "--examples", examples, path],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def block(*lines):
    return "Text.\n\n```sh\n" + "\n".join(lines) + "\n```\n"


class RunDocument(unittest.TestCase):
    def passes(self, document):
        code, output = run(document)
        self.assertEqual(code, 0, output)
        return output

    def fails(self, document, reason):
        code, output = run(document)
        self.assertEqual(code, 1, output)
        self.assertIn(reason, output)

    def test_accepts_output_that_is_as_shown(self):
        self.assertIn("2 commands, 0 wrong", self.passes(block("$ echo one; echo two >&2", "one", "two", "", "$ true")))

    def test_finds_assay_and_the_examples(self):
        self.passes(block("$ assay check", "called with check", "$ ./assay -v", "called with -v",
                          "$ cat examples/one.hist", "S1: w(x,1)"))

    def test_rejects_other_output(self):
        self.fails(block("$ echo one", "two"), "prints:\none")

    def test_rejects_output_that_the_document_does_not_show(self):
        self.fails(block("$ echo one"), "prints:\none")

    def test_dots_match_anything_but_only_where_they_are(self):
        self.passes(block("$ printf 'a 12 b\\nc\\nd\\n'", "a ... b", "...", "d"))
        self.fails(block("$ printf 'a\\nb\\n'", "...", "c"), "prints:")

    def test_compares_the_exit_code(self):
        self.passes(block("$ assay bad # exit 1", "called with bad"))
        self.fails(block("$ assay bad", "called with bad"), "exits with 1, the document says 0")
        self.fails(block("$ true # exit 1"), "exits with 0, the document says 1")

    def test_keeps_files_from_one_block_to_the_next(self):
        self.passes(block("$ echo kept > file") + block("$ cat file", "kept"))

    def test_joins_continued_commands(self):
        self.passes(block("$ echo a \\", "    b", "a b"))

    def test_runs_only_sh_blocks_with_a_prompt(self):
        self.assertIn("0 commands", self.passes("```\n$ false\n```\n" + block("false") + "```text\n$ false\n```\n"))

    def test_refuses_a_block_that_is_not_closed(self):
        self.fails("```sh\n$ true\n", "not closed")


if __name__ == "__main__":
    unittest.main()
