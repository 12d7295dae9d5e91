#!/usr/bin/env python3
"""Compares counts of instructions with those of a file: see Scripts/instructions."""

import itertools
import pathlib
import re
import sys

LIMIT = 1.02


# Functions of Swift's runtime that compare types with those in a table, which it orders by their
# addresses: how often depends on where a program and its lines before have placed them.
COMPARISONS = re.compile(
    r"swift::MetadataCacheKey::operator==|<swift::GenericCacheEntry>.*::Snapshot::find<"
    r"|HashMap<\(anonymous namespace\)::ConformanceCacheEntry,.*::find<")


def counted(folder):
    """The instructions of each line: one dump of valgrind per line, in their order."""
    lines = (folder / "lines").read_text().split()
    dumps = sorted(folder.glob("counts.*"), key=lambda path: int(path.suffix[1:]))
    counts = [instructions(path.read_text()) for path in dumps]
    counts = [count for count in counts if count > 0]
    if len(counts) != len(lines):
        sys.exit(f"Scripts/instructions: {len(counts)} counts for {len(lines)} lines: see {folder}/log")
    return dict(zip(lines, counts))


def instructions(dump):
    """The instructions of a dump, without those of comparisons. A function is `fn=(number) name`,
    without its name after the first time; the costs of its lines follow, and those of its calls."""
    total = int(re.search(r"^(?:totals|summary): (\d+)", dump, re.M)[1])
    names = {}
    compares = call = False
    for line in dump.splitlines():
        if function := re.match(r"(c?)fn=(\(\d+\))(?: (.*))?", line):
            called, number, name = function.groups()
            if name:
                names[number] = name
            if not called:
                compares = COMPARISONS.search(names[number]) is not None
        elif line.startswith("calls="):
            call = True
        elif compares and re.match(r"[+\-*\d]", line):
            if not call:
                total -= int(line.split()[1])
            call = False
        elif re.match(r"[+\-*\d]", line):
            call = False
    return total


def main():
    folder, processor, path = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    # The lines in turn, as the two processes have taken them.
    halves = [counted(folder / share).items() for share in "12"]
    counts = dict(line for pair in itertools.zip_longest(*halves) for line in pair if line)
    if "--update" in sys.argv[4:]:
        path.write_text(f"# {processor}\n" + "".join(f"{line} {count}\n" for line, count in counts.items()))
        print(f"Scripts/instructions: wrote {path}")
        return
    lines = path.read_text().splitlines()
    expected = dict(line.split() for line in lines if not line.startswith("#"))
    faults = 0
    for line in sorted(counts.keys() | expected.keys()):
        before, now = int(expected.get(line, 0)), counts.get(line, 0)
        if not before or not now:
            faults += 1
            print(f"{line}: {'new' if now else 'gone'}: run Scripts/instructions --update")
            continue
        mark = ""
        if now > before * LIMIT:
            faults += 1
            mark = "  more than 2% slower"
        print(f"{line:24} {before:15,} {now:15,} {100 * now / before - 100:+6.1f}%{mark}")
    print(f"Scripts/instructions: {faults} faults")
    sys.exit(1 if faults else 0)


main()
