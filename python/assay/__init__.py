"""Judges whether histories of transactions satisfy isolation levels.

    import assay

    history = assay.read("history.jsonl")
    findings = assay.judge(history, "ser, si", seconds_per_level=10)
    for finding in findings:
        print(finding.level, finding.verdict, finding.anomaly)
    print(findings.text())

docs/library.md shows more. The module calls the C interface of libassay.so (include/assay/assay_c.h) with ctypes, so
it needs nothing to be compiled for a version of Python. An operation of a history never becomes a Python object
unless you ask for it (History.to_list); History.from_columns takes arrays of numbers as they are.
"""

from assay._library import Error, Stopped, commit, version
from assay._history import Builder, History, formats, parse, read
from assay._findings import Claim, Explanation, Finding, Findings, certify, explain, judge, levels

__all__ = ["Builder", "Claim", "Error", "Explanation", "Finding", "Findings", "History", "Stopped", "certify", "commit",
           "explain", "formats", "judge", "levels", "parse", "read", "version"]
__version__ = version()
