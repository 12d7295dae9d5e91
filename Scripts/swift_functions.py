"""The public methods in a Swift source, as values. Reads what swift-format writes. Standard library only."""

import re

_EXTENSION = re.compile(r"^(?:extension|public struct) (\w+)[^{]*?(?:where\s+([^{]*?))?\s*\{\n((?:.|\n)*?)^\}$", re.MULTILINE)
_FUNCTION = re.compile(
    r"(?P<comment>(?:^  //.*\n)*)(?P<attributes>(?:^  @\w+\n)*)^  public (?P<modifiers>(?:\w+ )*)func (?P<signature>[^{}]*?)\s\{\n"
    r"(?P<body>(?:.|\n)*?)^  \}$", re.MULTILINE)
_SIGNATURE = re.compile(
    r"(?P<name>\w+)(?P<generics><[^(]*>)?\((?P<parameters>.*)\)(?P<effect> throws| rethrows)?"
    r"(?: -> (?P<result>.*?))?(?: where (?P<constraints>.*))?")


def extensions(text):
    """The types of a source and its extensions: for each, its name, its constraints, and its public methods."""
    for type, constraints, body in _EXTENSION.findall(text):
        yield type, split(constraints), [Function(type, match) for match in _FUNCTION.finditer(body)]


def split(text):
    """The elements of a list with commas, which may contain commas in parentheses."""
    return [part for part in re.split(r",\s*(?![^(\[<]*[)\]>])", re.sub(r"\s+", " ", text.strip())) if part]


class Function:
    def __init__(self, type, match):
        self.type = type
        lines = match["comment"].splitlines()
        self.comment = "\n".join(line[6:] for line in lines if line.startswith("  ///"))
        self.attributes, self.modifiers, self.body = match["attributes"], match["modifiers"], match["body"]
        signature = _SIGNATURE.fullmatch(re.sub(r"\s+", " ", match["signature"]).strip().replace("( ", "(").replace(" )", ")"))
        self.name, self.generics, self.effect = signature["name"], signature["generics"] or "", signature["effect"] or ""
        self.parameters = [Parameter(text) for text in split(signature["parameters"])]
        self.result, self.constraints = signature["result"], split(signature["constraints"] or "")

    @property
    def selector(self):
        """The name with its labels, as in documentation."""
        return f"{self.name}({''.join(parameter.label + ':' for parameter in self.parameters)})"

    @property
    def arguments(self):
        """The arguments that pass the parameters on."""
        return ", ".join(
            parameter.name if parameter.label == "_" else f"{parameter.label}: {parameter.name}" for parameter in self.parameters)

    def declaration(self, comment, body):
        """The method with another comment and another body."""
        comment = "".join(f"  /// {line}".rstrip() + "\n" for line in comment.split("\n"))
        result = f" -> {self.result}" if self.result else ""
        constraints = f" where {', '.join(self.constraints)}" if self.constraints else ""
        parameters = ", ".join(str(parameter) for parameter in self.parameters)
        return (
            f"{comment}{self.attributes}  public {self.modifiers}func {self.name}{self.generics}({parameters}){self.effect}{result}"
            f"{constraints} {{\n    {body}\n  }}\n")


class Parameter:
    def __init__(self, text):
        names, _, self.type = text.partition(": ")
        self.label, _, self.name = names.rpartition(" ")
        self.label = self.label or self.name

    def __str__(self):
        names = self.name if self.label == self.name else f"{self.label} {self.name}"
        return f"{names}: {self.type}"
