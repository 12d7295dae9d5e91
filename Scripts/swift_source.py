"""What the checks need to know about Swift source text. Standard library only."""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
# The modules of the libraries, without those of records by macro, which are built with a trait only.
LIBRARIES = sorted(
    path.name for path in (ROOT / "Sources").glob("Quarry*") if not path.name.startswith("QuarryMacro"))

_STRING_START = re.compile(r'(#*)("""|")')


def swift_files(*folders):
    """The Swift files below folders of the project, without build products, sorted."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.swift")):
            if not any(part.startswith(".") for part in path.relative_to(ROOT).parts):
                yield path


def blank(text):
    """The text with comments and the contents of strings replaced by spaces, line for line."""
    output = []
    position = 0
    while position < len(text):
        end = _end_of_comment(text, position)
        match = None if end else _STRING_START.match(text, position)
        if match:
            end = _end_of_string(text, match)
        if end:
            output.append(re.sub(r"[^\n]", " ", text[position:end]))
            position = end
        else:
            output.append(text[position])
            position += 1
    return "".join(output)


def _end_of_comment(text, start):
    if text.startswith("//", start):
        end = text.find("\n", start)
        return len(text) if end < 0 else end
    if not text.startswith("/*", start):
        return None
    depth = 0
    for token in re.compile(r"/\*|\*/").finditer(text, start):
        depth += 1 if token[0] == "/*" else -1
        if depth == 0:
            return token.end()
    return len(text)


def _end_of_string(text, opening):
    """The end of a literal, which may contain interpolations, which may contain literals."""
    hashes, quote = opening.groups()
    position = opening.end()
    escape = "\\" + hashes
    while position < len(text):
        if text.startswith(quote + hashes, position):
            return position + len(quote) + len(hashes)
        if text.startswith(escape + "(", position):
            position = _end_of_interpolation(text, position + len(escape) + 1)
        elif text.startswith(escape, position):
            position += len(escape) + 1
        elif text[position] == "\n" and quote == '"':
            return position
        else:
            position += 1
    return len(text)


def _end_of_interpolation(text, position):
    depth = 1
    while position < len(text) and depth:
        string = _STRING_START.match(text, position)
        if string:
            position = _end_of_string(text, string)
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return position
