#!/usr/bin/env python3
"""The Python module (PYTHONPATH says where it is)."""

import array
import gc
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import assay

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
WRITE_SKEW = "S1: r(x,0) w(y,1)\nS2: r(y,0) w(x,1)\n"


def verdicts(findings):
    return [(finding.level, finding.verdict) for finding in findings]


class Reading(unittest.TestCase):
    def test_reads_files_and_bytes(self):
        history = assay.read(EXAMPLES / "write-skew.hist")
        self.assertEqual(history.format, "hist")
        self.assertEqual(len(history), 2)
        self.assertEqual((history.sessions, history.transactions, history.operations, history.keys), (2, 2, 4, 2))
        self.assertEqual(len(assay.parse(WRITE_SKEW, "hist")), 2)
        self.assertEqual(len(assay.parse(WRITE_SKEW.encode())), 2)

    def test_raises_what_is_wrong(self):
        with self.assertRaises(assay.Error) as caught:
            assay.parse('{"session":1,"ops":[]}\n{"session":1,"ops":[["r"]]}', "jsonl")
        self.assertEqual(caught.exception.place, "2")
        with self.assertRaisesRegex(assay.Error, "/no/such/file: cannot open"):
            assay.read("/no/such/file")
        with self.assertRaisesRegex(assay.Error, "unknown format odd"):
            assay.parse(WRITE_SKEW, "odd")

    def test_knows_levels_and_formats(self):
        self.assertIn("ser", [level for level, _, _ in assay.levels()])
        self.assertIn(("jsonl", True), [(format, written) for format, _, written in assay.formats()])


class Converting(unittest.TestCase):
    LINES = [
        {"assay": 1, "initial": 0},
        {"session": "Ann", "txn": "t1", "begin": 1, "end": 5, "ops": [["r", "x", 0], ["w", "x", 1]]},
        {"session": "Bob", "txn": "t2", "status": "aborted",
         "ops": [["select", [">", "value", 0], [["x", 1]]], ["append", "l", "ä"]]},
        {"session": "Bob", "txn": "t3", "ops": [["r", "l", []], ["w", "y", 12345678901234567890123]]},
    ]

    def test_to_and_from_lists_and_dicts(self):
        history = assay.History.from_list(self.LINES)
        self.assertEqual(history.to_list(), self.LINES)
        self.assertEqual(assay.History.from_list(history.to_list()).to_bytes(), history.to_bytes())

    def test_every_example_is_the_same_after_a_round_trip(self):
        for path in EXAMPLES.glob("*.hist"):
            with self.subTest(path.name):
                history = assay.read(path)
                again = assay.History.from_list(history.to_list())
                self.assertEqual(again.to_bytes(), history.to_bytes())

    def test_to_other_formats(self):
        history = assay.read(EXAMPLES / "write-skew.hist")
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "h.edn.gz")
            history.write(path)
            self.assertEqual(assay.read(path).format, "elle")
        self.assertTrue(assay.read(EXAMPLES / "bank.jsonl").to_bytes("hist").startswith(b"@note"))
        with self.assertRaises(assay.Error):
            assay.read(EXAMPLES / "bank.jsonl").to_bytes("viper")

    def test_builder_says_the_same_as_the_text(self):
        b = assay.Builder()
        b.set_initial("c", 7)
        b.write("a", "text").append("l", 1).append("l", True).read("c", 7)
        b.finish(1, "t1", begin=10, end=20)
        b.read("a", "text").read("l", [1, True]).read_one_of("a", ["text", None]).finish("two", "t2", outcome="aborted")
        b.insert("r", {"size": 3, "price": 0.5})
        b.select(["and", [">", "size", 2], ["not", ["null", "price"]]], {"r": {"price": 0.5, "size": 3}})
        b.scan("a", "b", [("a", "text")])
        b.update(["in", "size", [1, 2]], [("r", {"size": 4})])
        b.update_maybe(["=", "size", 4], [("r", {"size": 5})], changed=1).delete("r", True)
        b.write("big", 2**70).finish(1, "t3", outcome="unknown")
        expected = [
            {"assay": 1, "initial": {"c": 7}},
            {"session": 1, "txn": "t1", "begin": 10, "end": 20,
             "ops": [["w", "a", "text"], ["append", "l", 1], ["append", "l", True], ["r", "c", 7]]},
            {"session": "two", "txn": "t2", "status": "aborted",
             "ops": [["r", "a", "text"], ["r", "l", [1, True]], ["one-of", "a", ["text", None]]]},
            {"session": 1, "txn": "t3", "status": "unknown",
             "ops": [["insert", "r", {"size": 3, "price": 0.5}],
                     ["select", ["and", [">", "size", 2], ["not", ["null", "price"]]], [["r", {"size": 3, "price": 0.5}]]],
                     ["scan", "a", "b", [["a", "text"]]], ["update", ["in", "size", [1, 2]], [["r", {"size": 4}]]],
                     ["update-maybe", ["=", "size", 4], [["r", {"size": 5}]], 1], ["delete", "r", True],
                     ["w", "big", 2**70]]},
        ]
        self.assertEqual(b.build().to_list()[1:], assay.History.from_list(expected).to_list()[1:])

    def test_builder_refuses_what_is_no_history(self):
        b = assay.Builder()
        with self.assertRaisesRegex(assay.Error, "neither an integer nor a string"):
            b.write(1.5, 1)
        with self.assertRaises(TypeError):
            b.write("x", object())
        with self.assertRaisesRegex(assay.Error, "no tree"):
            b.select(["and", ["=", "a", 1]], [])
        with self.assertRaisesRegex(assay.Error, "not a number"):
            b.write("x", float("nan"))
        with self.assertRaisesRegex(assay.Error, "no transactions"):
            b.build()


class Columns(unittest.TestCase):
    # No object for each operation: building takes less time and memory than as many of them would.
    def test_a_million_transactions(self):
        count = 1_000_000
        keys = array.array("q", range(1000)) * (2 * count // 1000)
        values = array.array("q", range(2 * count))
        sessions = array.array("q", range(100)) * (count // 100)
        ends = array.array("Q", range(2, 2 * count + 1, 2))
        kinds = array.array("B", b"\1") * (2 * count)
        gc.collect()
        before = len(gc.get_objects())
        start = time.process_time()
        history = assay.History.from_columns(sessions, ends, kinds, keys, values, initial=0, name="large")
        self.assertLess(time.process_time() - start, 20)
        self.assertLess(len(gc.get_objects()) - before, 1000)
        self.assertEqual((history.transactions, history.operations), (count, 2 * count))
        self.assertEqual(verdicts(assay.judge(history, "rc")), [("rc", "holds")])
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 2_000_000)

    def test_say_the_same_as_operations(self):
        history = assay.History.from_columns(
            session=array.array("q", [1, 2]), operations_end=array.array("Q", [2, 5]),
            kind=bytes([1, 2, 0, 3, 0]), key=array.array("q", [5, 7, 5, 7, 6]), value=array.array("q", [1, 1, 1, 2, 0]),
            element=array.array("q", [1, 3]), is_null=bytes([0, 0, 0, 0, 1]), outcome=bytes([0, 2]),
            begin=array.array("q", [10, 20]), end=array.array("q", [15, 25]))
        built = assay.Builder().write(5, 1).append(7, 1).finish(1, begin=10, end=15)
        built.read(5, 1).read(7, [1, 3]).read(6, None).finish(2, outcome="unknown", begin=20, end=25)
        self.assertEqual(history.to_list(), built.build().to_list())

    def test_refuses_columns_that_do_not_fit(self):
        def columns(**change):
            given = {"session": array.array("q", [1]), "operations_end": array.array("Q", [1]), "kind": bytes([1]),
                     "key": array.array("q", [5]), "value": array.array("q", [1])}
            return assay.History.from_columns(**{**given, **change})

        self.assertEqual(len(columns()), 1)
        with self.assertRaisesRegex(ValueError, "8 bytes"):
            columns(session=array.array("i", [1]))
        with self.assertRaisesRegex(ValueError, "key: expected 1 numbers"):
            columns(key=array.array("q", [1, 2]))
        with self.assertRaisesRegex(assay.Error, "out of order"):
            columns(operations_end=array.array("Q", [2]))
        with self.assertRaisesRegex(assay.Error, "transaction 0"):
            columns(kind=bytes([77]))


class Judging(unittest.TestCase):
    def test_judges_and_explains(self):
        findings = assay.judge(assay.parse(WRITE_SKEW, "hist"), "ser, si, rc")
        self.assertEqual(verdicts(findings), [("ser", "violated"), ("si", "holds"), ("rc", "holds")])
        self.assertEqual(findings["ser"].anomaly, "write-skew")
        (explanation,) = assay.explain(findings)
        self.assertEqual(findings[0].explanation, 0)
        self.assertEqual((explanation.anomaly, explanation.levels, explanation.minimal), ("write-skew", "ser", True))
        self.assertEqual(len(explanation.data["transactions"]), 2)
        self.assertEqual(len(explanation.part), 2)
        self.assertIn("comes before itself", explanation.text)
        self.assertEqual(findings.to_dict()["results"][0]["verdict"], "violated")
        self.assertIn("</html>", findings.print("html"))
        with self.assertRaises(ValueError):
            findings.print("odd")

    def test_findings_outlive_the_history(self):
        findings = assay.judge(assay.parse(WRITE_SKEW, "hist"))
        part = findings.explanations[0].part
        del findings
        gc.collect()
        self.assertEqual(len(part), 2)

    def test_certifies(self):
        history = assay.parse(WRITE_SKEW, "hist")
        evidence = assay.judge(history, "ser, si").certificate()
        self.assertEqual([claim[:2] for claim in assay.certify(history, evidence)],
                         [("ser", "violated"), ("si", "holds")])
        with self.assertRaisesRegex(assay.Error, "another history"):
            assay.certify(assay.parse("S1: w(x,1)", "hist"), evidence)

    def test_calls_back_with_verdicts(self):
        heard = []
        assay.judge(assay.parse(WRITE_SKEW, "hist"), "rc, ser", on_verdict=heard.append)
        self.assertEqual(verdicts(heard), [("ser", "violated"), ("rc", "holds")])

    def large(self):
        count = 50_000
        return assay.History.from_columns(
            array.array("q", range(50)) * (count // 50), array.array("Q", range(4, 4 * count + 1, 4)),
            bytes([1]) * (4 * count), array.array("q", range(500)) * (4 * count // 500),
            array.array("q", range(4 * count)), initial=-1)

    def test_raises_what_callbacks_raise(self):
        def stop(*_):
            raise KeyError("enough")

        with self.assertRaisesRegex(KeyError, "enough"):
            assay.judge(self.large(), "ser", on_progress=stop)
        with self.assertRaisesRegex(KeyError, "enough"):
            assay.judge(assay.parse(WRITE_SKEW, "hist"), "ser", on_verdict=stop)

    def test_ends_at_an_interrupt(self):
        for on_progress in (None, lambda *_: None):
            history = self.large()
            timer = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT))
            before = signal.getsignal(signal.SIGINT)
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                while True:
                    assay.judge(history, "ser", on_progress=on_progress)
            timer.join()
            self.assertIs(signal.getsignal(signal.SIGINT), before)

    def test_keeps_limits(self):
        (finding,) = assay.judge(self.large(), "ser", seconds_per_level=1e-6)
        self.assertEqual(finding.verdict, "undecided")
        self.assertIn("limit", finding.reason)

    def test_example(self):
        done = subprocess.run([sys.executable, EXAMPLES / "python/check.py", EXAMPLES / "write-skew.hist"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("ser violated write-skew", done.stdout)


if __name__ == "__main__":
    unittest.main()
