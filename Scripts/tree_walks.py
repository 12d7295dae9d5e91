"""The walks over the parts of a tree: the children of each type are read from its declaration. Standard library only.

The declarations are those of Sources/Quarry/Language/Tree. A child is an expression, a query, or SQL written by hand, alone, in a
list, or in an optional. A type with children in it is walked through, whichever type it is: nothing is listed here but where a walk
begins. What is deferred, and what types with parameters keep, are no children.
"""

import re

from swift_source import ROOT, blank

TREE = ROOT / "Sources/Quarry/Language/Tree"
# The parts whose children are visited, and those that are also made anew, of other children.
VISITED = ["SelectionClause", "OrderingClause", "Compound"]
MAPPED = ["SQLExpression.Node", "SQLOrdering", "SQLSelection", "SQL.Element", "Source"]
# The children of a case, in the generated code.
NAMES = "abcdef"
# The closure of a visit that takes a child.
CHILDREN = {"SQLExpression": "body", "SQLSubquery": "query", "SQL": "sql"}
# The types that a `TreeTransform` has a function for. Others are made anew where they stand.
TRANSFORMED = [*CHILDREN, "SQLSelection", "SQLOrdering", "TableExpression"]

_TYPE = re.compile(r"^ *(?:(?:public|package|fileprivate|indirect) )*(enum|struct|extension) ([\w.]+)[^{}\n]*\{$", re.MULTILINE)
_CASES = re.compile(r"^(?:indirect )?case (\w+(?:\([^\n]*?\))?(?:, \w+(?:\([^\n]*?\))?)*)$", re.MULTILINE)
_PROPERTY = re.compile(
    r"^(?:[a-z]+(?:\(set\))? )*(?:var|let) (\w+)(?:: ([^={\n]+?)(?: = .*)?| = ([A-Z]\w*)\(.*\))$", re.MULTILINE)
_VISIT = """\
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
"""
_MAP = """\
  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
"""


def walks():
    """The extensions of the types of each source."""
    types = Types()
    mapped = [name for name in types.parts_of(MAPPED) if name in MAPPED or name not in TRANSFORMED]
    texts = {}
    for name in types.parts_of(MAPPED + VISITED):
        declaration = types.declarations[name]
        functions = [declaration.visit(types)] + ([declaration.map(types)] if name in mapped else [])
        texts.setdefault(declaration.source, []).append(f"extension {name} {{\n" + "\n".join(functions) + "}\n")
    for source, extensions in texts.items():
        yield source, "\n".join(extensions)


class Types:
    """The types of the tree, by name."""

    def __init__(self):
        self.declarations = {}
        for source in sorted(TREE.glob("*.swift")):
            self._read(source, blank(source.read_text(encoding="utf-8")), "")
        self.parts = set()
        while found := {name for name in self.declarations if name not in self.parts and self._has_children(name)}:
            self.parts |= found

    def _read(self, source, text, prefix):
        position = 0
        while match := _TYPE.search(text, position):
            position = _end(text, match.end() - 1)
            name, body = prefix + match[2], text[match.end():position - 1]
            self._read(source, body, f"{name}.")
            if match[1] != "extension":
                self.declarations[name] = Declaration(source, name, match[1] == "enum", body)

    def _has_children(self, name):
        return any(self.has_children(field) for fields in self.declarations[name].cases.values() for field in fields)

    def has_children(self, field):
        return any(base in CHILDREN or base in self.parts for base in field.bases(self))

    def resolved(self, name, scope):
        """A name, as it is meant in a type."""
        parts = scope.split(".")
        for count in range(len(parts), 0, -1):
            if (full := ".".join([*parts[:count], name])) in self.declarations:
                return full
        return name

    def parts_of(self, names):
        """Some types, and those in them that are walked through, each one once."""
        found = []
        waiting = list(names)
        while waiting:
            name = waiting.pop(0)
            if name not in found and name in self.parts and name not in CHILDREN:
                found.append(name)
                fields = [field for fields in self.declarations[name].cases.values() for field in fields]
                waiting += [base for field in fields for base in field.bases(self)]
        return found


class Declaration:
    """An enumeration, by case, or a structure, as one case without name."""

    def __init__(self, source, name, is_enum, body):
        self.source, self.name, self.is_enum = source, name, is_enum
        # That of the only property of a structure.
        self.label = "" if "init(_ node" in body else "node: "
        body = _outermost(body)
        if is_enum:
            cases = [part for match in _CASES.finditer(body) for part in _split(match[1])]
            self.cases = {case.partition("(")[0]: _fields(case.partition("(")[2][:-1], name) for case in cases}
        else:
            properties = _PROPERTY.findall(body)
            self.cases = {"": [Field(field, "", type or made, name) for field, type, made in properties]}

    def visit(self, types):
        """The function that visits the children. Cases whose children have the same types share their code."""
        if not self.is_enum:
            children = [field for field in self.cases[""] if types.has_children(field)]
            return _VISIT + "".join(f"{child.visit(f'self.{child.name}', types)}\n" for child in children) + "}\n"
        patterns, code = {}, {}
        for case, fields in self.cases.items():
            children = [field for field in fields if types.has_children(field)]
            kinds, names = tuple(child.type for child in children), iter(NAMES)
            pattern = ", ".join(f"let {next(names)}" if field in children else "_" for field in fields)
            patterns.setdefault(kinds, []).append(f".{case}({pattern})" if children else f".{case}")
            code[kinds] = "\n".join(child.visit(name, types) for child, name in zip(children, NAMES)) or "break"
        return f"{_VISIT}switch self {{\n" + "".join(f"case {', '.join(patterns[kinds])}:\n{code[kinds]}\n" for kinds in code) + "}\n}\n"

    def map(self, types):
        """The function that returns the same kind, of other children."""
        if not self.is_enum:
            children = [field for field in self.cases[""] if types.has_children(field)]
            if [child.name for child in children] == ["node"]:
                return f"{_MAP}Self({self.label}{children[0].map('node', types)})\n}}\n"
            changes = "".join(f"part.{child.name} = {child.map(child.name, types)}\n" for child in children)
            return f"{_MAP}var part = self\n{changes}return part\n}}\n"
        lines, others = "", []
        for case, fields in self.cases.items():
            if not any(types.has_children(field) for field in fields):
                others.append(f".{case}")
                continue
            arguments = [
                field.label + (field.map(name, types) if types.has_children(field) else name) for field, name in zip(fields, NAMES)]
            pattern = ", ".join(f"let {name}" for _, name in zip(fields, NAMES))
            lines += f"case .{case}({pattern}): .{case}({', '.join(arguments)})\n"
        return f"{_MAP}switch self {{\n" + (f"case {', '.join(others)}: self\n" if others else "") + lines + "}\n}\n"


class Field:
    """A property, or a value of a case."""

    def __init__(self, name, label, type, scope):
        self.name, self.type, self.scope = name, type.strip(), scope
        self.label = f"{label}: " if label else ""

    def bases(self, types):
        """The types of the field, or of its elements."""
        list_of = re.fullmatch(r"\[(.*)\]|RunList<(.*)>", self.type.removesuffix("?"))
        type = (list_of[1] or list_of[2]) if list_of else self.type.removesuffix("?")
        fields = _fields(type[1:-1], self.scope) if type.startswith("(") else [Field("", "", type, self.scope)]
        return [types.resolved(field.type, self.scope) for field in fields if re.fullmatch(r"[\w.]+", field.type)]

    def visit(self, name, types):
        bases = self.bases(types)
        if len(bases) > 1:
            calls = "\n".join(_visit(element, base) for element, base in zip(NAMES, bases))
            return f"for ({', '.join(NAMES[:len(bases)])}) in {name} {{\n{calls}\n}}"
        if self.type.endswith("?"):
            return f"if let child = {name} {{ {_visit('child', bases[0])} }}"
        if self.type.endswith(("]", ">")):
            return f"for child in {name} {{ {_visit('child', bases[0])} }}"
        return _visit(name, bases[0])

    def map(self, name, types):
        bases = self.bases(types)
        if len(bases) == 1 and bases[0] not in TRANSFORMED:
            return f"try {name}{'?' if self.type.endswith('?') else ''}.mapChildren(transform)"
        return f"try transform.map({name})"


def _visit(name, base):
    return f"try {CHILDREN[base]}({name})" if base in CHILDREN else f"try {name}.forEachChild(body, query: query, sql: sql)"


def _fields(text, scope):
    """The values of a case, or of a tuple."""
    fields = []
    for part in _split(text):
        label, _, type = part.rpartition(": ") if re.match(r"\w+: ", part) else ("", "", part)
        fields.append(Field(label, label, type.partition(" = ")[0], scope))
    return fields


def _split(text):
    """The elements of a list with commas, which may contain commas in parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([<") - (character in ")]>")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _outermost(body):
    """The lines of a body that are in no braces, one declaration a line."""
    lines, depth, parentheses = [], 0, 0
    for line in body.splitlines():
        if depth == 0 and line.strip():
            if parentheses:
                lines[-1] += " " + line.strip()
            else:
                lines.append(line.strip())
            parentheses += line.count("(") - line.count(")")
        depth += line.count("{") - line.count("}")
    return "\n".join(re.sub(r"\( ", "(", line) for line in lines)


def _end(text, position):
    depth = 0
    while True:
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        position += 1
        if depth == 0:
            return position
