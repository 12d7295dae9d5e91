#!/usr/bin/env python3
"""Finds what stands on several lines of the library though it fits in one, or mends it:
`one_line.py [--fix]`. These are signatures, conditions, and bodies, closures and cases of one statement.
`swift format` leaves them as they are. What Scripts/generate writes is left out."""

import re
import sys

from swift_source import ROOT, blank, swift_files

LONGEST = 100
SIGNATURE = re.compile(r"[^=]*\b(func|init[?!]?|subscript)\b.*\($")
CONDITION = re.compile(r"(guard|if|while|for) .*,$|guard [^{]*$")
DECLARATION = r"(@\w+(\([^)]*\))? |\w+(\(set\))? )*(func|init|subscript|deinit|var)\b.*"
BODY = re.compile(rf"((guard\b.*|)\belse|(if|for|while|defer)\b.*|{DECLARATION}|((non)?mutating )?(get|set|_read|_modify)\b.*) \{{$")
# The closure is the last argument, and no type, loop or `do`.
CLOSURE = re.compile(
    r"(?!\}|(\w+ )*(struct|enum|class|actor|protocol|extension|do|repeat|switch|catch|init|#if)\b).*[\w)>?] "
    r"\{( (\[[^\]]*\] )?(\([^()]*\)|\w+(, \w+)*)( throws)? in)?$")
CASE = re.compile(r"(case\b.*|(@unknown )?default):$")
NEXT_CASE = re.compile(r"(case\b|(@unknown )?default\b|\})")


def one_line(lines, bare, start):
    """The lines from a start on as one, and how many they are. None if there is nothing to join."""
    first = bare[start].strip()
    if not first or not lines[start].endswith(first[-1]):
        return None
    if SIGNATURE.match(first):
        return joined(lines, bare, start, lambda line: line.startswith(")"))
    if CONDITION.match(first) and "{" not in first:
        return joined(lines, bare, start, lambda line: line.endswith("{"))
    following = [line.strip() for line in lines[start + 1:start + 3]]
    if len(following) < 2 or not following[0] or following[0].endswith("{") or following[0][0] in ".})]":
        return None
    if (BODY.match(first) or CLOSURE.match(first)) and following[1] == "}" and indentation(lines[start]) == indentation(lines[start + 2]):
        return joined(lines, bare, start, lambda line: line == "}")
    if CASE.match(first) and NEXT_CASE.match(following[1]):
        return joined(lines, bare, start, lambda line: True)
    return None


def joined(lines, bare, start, is_last):
    text = lines[start]
    for number in range(start + 1, min(start + 7, len(lines))):
        line = lines[number].strip()
        if not line or "//" in line or '"""' in line:
            return None
        text += line if text.endswith("(") or line.startswith(")") else f" {line}"
        if len(text) > LONGEST:
            return None
        if is_last(bare[number].strip()):
            return text, number - start + 1
    return None


def indentation(line):
    return len(line) - len(line.lstrip())


def mend(text):
    """The text with such lines joined, and the numbers of the lines where they stood."""
    lines, bare = text.split("\n"), blank(text).split("\n")
    output, numbers, position = [], [], 0
    while position < len(lines):
        found = None if "//" in lines[position] else one_line(lines, bare, position)
        if found:
            numbers.append(position + 1)
        output.append(found[0] if found else lines[position])
        position += found[1] if found else 1
    return "\n".join(output), numbers


def main():
    count = 0
    for path in swift_files("Sources"):
        text = path.read_text(encoding="utf-8")
        mended, numbers = ("", []) if "Generated" in path.parts else mend(text)
        while "--fix" in sys.argv and numbers:
            path.write_text(mended, encoding="utf-8")
            mended, numbers = mend(mended)
        for number in numbers:
            print(f"{path.relative_to(ROOT)}:{number}: fits in one line: Scripts/format --fix")
        count += len(numbers)
    print(f"Scripts/one_line.py: {count} findings")
    return bool(count)


if __name__ == "__main__":
    sys.exit(main())
