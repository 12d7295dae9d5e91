"""The public methods and initializers in a Swift source, as values. Reads what swift-format writes. Standard library only."""

import re
import textwrap

_EXTENSION = re.compile(r"^(?:extension|public struct) (\w+)[^{]*?(?:where\s+([^{]*?))?\s*\{\n((?:.|\n)*?)^\}$", re.MULTILINE)
_FUNCTION = re.compile(
    r"(?P<comment>(?:^  //.*\n)*)(?P<attributes>(?:^  @\w+\n)*)^  public (?P<modifiers>(?:\w+ )*)"
    r"(?P<keyword>func |(?=init\())(?P<signature>[^{}]*?)\s\{"
    r"(?:\n(?P<body>(?:.|\n)*?)^  \}$| (?P<line>.*) \}$)", re.MULTILINE)
_SIGNATURE = re.compile(
    r"(?P<name>\w+)(?P<generics><[^(]*>)?\((?P<parameters>.*)\)(?P<effect> throws| rethrows)?"
    r"(?: -> (?P<result>.*?))?(?: where (?P<constraints>.*))?")
_COMMENT_COLUMNS = 94


def extensions(text):
    """The types of a source and its extensions: for each, its name, its constraints, and its public methods and initializers."""
    for type, constraints, body in _EXTENSION.findall(text):
        yield type, _split(constraints), [Function(type, match) for match in _FUNCTION.finditer(body)]


def extension(type, constraints, methods):
    """The text of an extension, empty without methods."""
    where = f" where {', '.join(constraints)}" if constraints else ""
    members = "\n".join(methods)
    return f"extension {type}{where} {{\n{members}}}\n\n" if members else ""


def changed(text, change, type=None, constraints=None):
    """The extensions of a source with other methods: those that `change` returns for a method."""
    return "".join(
        extension(type or extended, where if constraints is None else constraints, [new for method in methods for new in change(method)])
        for extended, where, methods in extensions(text))


def _split(text):
    """The elements of a list with commas, which may contain commas in parentheses."""
    return [part for part in re.split(r",\s*(?![^(\[<]*[)\]>])", re.sub(r"\s+", " ", text.strip())) if part]


class Function:
    def __init__(self, type, match):
        self.type = type
        lines = match["comment"].splitlines()
        self.comment = "\n".join(line[6:] for line in lines if line.startswith("  ///"))
        self.attributes, self.modifiers, self.keyword = match["attributes"], match["modifiers"], match["keyword"]
        self.body = (match["body"] or match["line"]).strip()
        signature = re.sub(r"\s+", " ", match["signature"]).strip().replace("( ", "(").replace(" )", ")")
        parts = _SIGNATURE.fullmatch(signature)
        self.name, self.generics, self.effect = parts["name"], parts["generics"] or "", parts["effect"] or ""
        self.parameters = [Parameter(text) for text in _split(parts["parameters"])]
        self.result, self.constraints = parts["result"], _split(parts["constraints"] or "")

    @property
    def selector(self):
        """The name with its labels, as in documentation."""
        return f"{self.name}({''.join(parameter.label + ':' for parameter in self.parameters)})"

    @property
    def arguments(self):
        """The arguments that pass the parameters on."""
        return ", ".join(
            parameter.name if parameter.label == "_" else f"{parameter.label}: {parameter.name}" for parameter in self.parameters)

    def summary(self):
        """The first paragraph of the documentation, and the method that has the rest."""
        text = self.comment.partition("\n\n")[0]
        return text if text.startswith("See ") else f"{text} See `{self.selector}`."

    def summary_with_example(self, needed=""):
        """The first paragraph, the first example if this contains a text, and the method that has the rest."""
        summary, _, rest = self.comment.partition("\n\n")
        example = re.match(r"```swift\n(?:.|\n)*?```(\n\n|$)", rest)
        paragraphs = [summary]
        if example and needed in example[0]:
            paragraphs.append(example[0].strip())
            rest = rest[example.end():]
        if rest:
            paragraphs.append(f"See `{self.type}.{self.selector}`.")
        return "\n\n".join(paragraphs)

    def declaration(self, comment, body):
        """The method with another comment and another body."""
        if "\n\n" not in comment:
            comment = textwrap.fill(comment, _COMMENT_COLUMNS)
        comment = "".join(f"  /// {line}".rstrip() + "\n" for line in comment.split("\n"))
        parameters = ", ".join(str(parameter) for parameter in self.parameters)
        result = f" -> {self.result}" if self.result else ""
        constraints = f" where {', '.join(self.constraints)}" if self.constraints else ""
        return (
            f"{comment}{self.attributes}  public {self.modifiers}{self.keyword}{self.name}{self.generics}({parameters}){self.effect}"
            f"{result}{constraints} {{\n    {body}\n  }}\n")


class Parameter:
    def __init__(self, text):
        names, _, self.type = text.partition(": ")
        self.label, _, self.name = names.rpartition(" ")
        self.label = self.label or self.name

    def __str__(self):
        names = self.name if self.label == self.name else f"{self.label} {self.name}"
        return f"{names}: {self.type}"
