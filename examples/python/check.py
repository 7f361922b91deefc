"""Judges histories at some levels: PYTHONPATH=build/python python3 examples/python/check.py FILE..."""

import sys

import assay

violated = False
for path in sys.argv[1:]:
    history = assay.read(path)
    findings = assay.judge(history, "ser, si", seconds_per_level=10)
    for finding in findings:
        print(path, finding.level, finding.verdict, finding.anomaly or "-")
        violated |= finding.verdict == "violated"
    for explanation in findings.explanations:
        print(explanation.text, end="")
    assay.certify(history, findings.certificate())
    print("certified: the evidence shows it")
sys.exit(1 if violated else 0)
