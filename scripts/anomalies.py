#!/usr/bin/env python3
"""Writes docs/anomalies.md and docs/pictures/ from the histories in examples/.

    scripts/anomalies.py --assay build/assay            write them
    scripts/anomalies.py --assay build/assay --check    say whether they are as they would be written

A history examples/NAME.hist is shown in the order of the table below. Its first comment is the text of its section; its line
"# anomaly:" names what it is an example of, and "# violated:" the levels that it breaks, the weakest first. What is shown is what `assay explain` prints, without the
seconds. The table of published sequences at the end is kept as it is: tests/corpus_tests/sequences_test.cpp writes and
compares it. Pictures depend on the fonts of the machine, so --check compares the words in them only.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

ANOMALIES = [
    ("Reads that are wrong by themselves",
     ["thin-air", "g1a", "g1b", "future-read", "not-own-write", "not-own-last-write", "non-repeatable-read"]),
    ("Lists that are wrong by themselves", ["incompatible-order", "duplicate-elements"]),
    ("Cycles", ["g0", "g1c", "non-monotonic-read", "read-skew", "causality", "stale-initial-read", "lost-update",
                "long-fork", "g-single", "g-nonadjacent", "write-skew", "read-only"]),
    ("Session guarantees", ["read-your-writes", "monotonic-reads", "monotonic-writes", "writes-follow-reads"]),
    ("Values that were written more than once",
     ["lost-update-of-equal-values", "read-skew-of-either-writer", "toggle-out-of-turn"]),
    ("What only clocks tell", ["stale-read-in-real-time"]),
]

OPENING = """# Anomalies, by example

One small history for each anomaly that [levels.md](levels.md) names and that can be judged, and what `assay explain` says about it. This page is made by
`scripts/anomalies.py` from the files in `examples/`; a test makes it again and compares.

In the pictures, *wr* is a read, *ww* an overwriting write, *rw* a read of something that the other one overwrote, *so* session order, *rt* real time. Thin edges are
what an inferred (dashed) one rests on. Where whom a read is from is a matter of cases, the edges of all cases are drawn.
"""


SEQUENCES = """
## Published sequences

Operation sequences that were published as examples of anomalies (`tests/sequences/published.txt`), replayed step by step on a store without any
concurrency control: a read sees the latest write of anybody, committed or not, and an abort takes back what its transaction wrote. The
names are the publication's; what a level allows is what a brute-force search finds for what clients were told. Rows are numbered
(x is 0, y 1, z 2, k3 3), and have the value 0 when they are inserted or exist from the start. Of blind writes the transactions themselves do not show
which one lasted: the last column adds a transaction that begins after all have ended and sees all rows. A test compares the table, and `assay check` with it.

The first table counts how many sequences of a class each level allows.

"""


def sequences():
    found = re.search("<!-- sequences -->\n.*<!-- end of sequences -->\n", (ROOT / "docs/anomalies.md").read_text(), re.DOTALL)
    return SEQUENCES + (found.group(0) if found else "<!-- sequences -->\n<!-- end of sequences -->\n")


def run(assay, arguments):
    done = subprocess.run([assay, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 1:
        sys.exit(f"assay {' '.join(arguments)}: exit {done.returncode}, not 1\n{done.stdout}{done.stderr}")
    return done.stdout


def section(assay, name, pictures):
    file = f"examples/{name}.hist"
    text = (ROOT / file).read_text()
    comment = " ".join(line[1:].strip() for line in text.splitlines() if re.match("#(?! (holds|violated|anomaly):)", line))
    expected = re.search(r"# violated: ([a-z0-9-]+)", text)
    if not expected:
        sys.exit(f"{file}: no line '# violated: LEVEL'")
    # The weakest level that it breaks, with session order, as readers ask for it.
    level = {"plain-ser": "ser", "adya-si": "si"}.get(expected.group(1), expected.group(1))
    anomaly = re.search(r"# anomaly: ([a-z0-9-]+)", text)
    if not anomaly:
        sys.exit(f"{file}: no line '# anomaly: NAME'")
    story = run(assay, ["explain", "--level", level, "--svg", str(pictures / f"{name}.svg"), file])
    first, rest = story.split("\n", 1)
    columns = first.split("\t")
    if columns[4] != anomaly.group(1):
        sys.exit(f"{file}: is called {columns[4]} at {level}")
    columns[3] = "..."
    return (f"\n### {name}\n\n{comment}\n\n"
            f"```sh\n$ assay explain --level {level} {file}   # exit 1\n" + "\t".join(columns) + f"\n{rest}```\n\n"
            f"![{name}](pictures/{name}.svg)\n")


def page(assay, pictures):
    text = OPENING
    for heading, names in ANOMALIES:
        text += f"\n## {heading}\n"
        for name in names:
            text += section(assay, name, pictures)
    return text + sequences()


def words(svg):
    return sorted(re.findall(r"<text[^>]*>(.*?)</text>", svg))


def differences(text, pictures):
    if (ROOT / "docs/anomalies.md").read_text() != text:
        yield "docs/anomalies.md"
    made = {path.name for path in pictures.iterdir()}
    kept = {path.name for path in (ROOT / "docs/pictures").iterdir()}
    yield from (f"docs/pictures/{name}" for name in sorted(made ^ kept))
    for name in sorted(made & kept):
        if words((pictures / name).read_text()) != words((ROOT / "docs/pictures" / name).read_text()):
            yield f"docs/pictures/{name}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--assay", type=pathlib.Path, required=True)
    arguments.add_argument("--check", action="store_true")
    given = arguments.parse_args()
    assay = str(given.assay.resolve())
    if given.check:
        with tempfile.TemporaryDirectory(prefix="assay-anomalies-") as directory:
            pictures = pathlib.Path(directory)
            changed = list(differences(page(assay, pictures), pictures))
        for name in changed:
            print(f"{name} is not what scripts/anomalies.py writes")
        return 1 if changed else 0
    pictures = ROOT / "docs/pictures"
    pictures.mkdir(exist_ok=True)
    for old in pictures.glob("*.svg"):
        old.unlink()
    (ROOT / "docs/anomalies.md").write_text(page(assay, pictures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
