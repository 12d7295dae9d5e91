"""The operators of Scripts/operators.txt, and the functions that they become. Standard library only."""

import re


class Operator:
    """A paragraph of the list."""

    def __init__(self, paragraph):
        head, self.summary, *example = (line.strip() for line in paragraph.split("\n"))
        self.name, self.node, uses = re.fullmatch(r"(\S+) +(.*?)(?:  +(.*))?", head).groups("")
        self.uses = uses.split()
        self.example = ["```swift", *example, "```"]
        self.value = "(any SQLExpressible)?" if "nullable" in self.uses else "some SQLExpressible"

    def of_expressions(self):
        operands = [("Self", self.value), (self.value, "Self")]
        # Swift has operators with these names that return a Bool: of two expressions, they must not win.
        if self.name in ["==", "!=", "&&", "||"]:
            operands.append(("Self", "some SQLSpecificExpressible"))
        for lhs, rhs in operands:
            # Of two expressions, either would do. A Bool of Swift is no operand of && and || if it may be an expression.
            is_disfavored = lhs != "Self" or rhs == self.value and self.name in ["&&", "||"]
            comment = [self.summary, "", *self.example] if rhs == self.value else [f"See `{self.name}(_:_:)`."]
            yield self._function(
                comment, f"(lhs: {lhs}, rhs: {rhs}) -> SQLExpression", self._applied(_expression("lhs", lhs), _expression("rhs", rhs)),
                attribute="@_disfavoredOverload " if is_disfavored else "")

    def of_aggregates(self):
        lhs, rhs = _expression("lhs", self.value), _expression("rhs", self.value)
        for parameters, body in [
                ("lhs: Self, rhs: Self", f"lhs.combined(with: rhs) {{ {self._applied('$0', '$1')} }}"),
                (f"lhs: Self, rhs: {self.value}", f"lhs.map {{ {self._applied('$0', rhs)} }}"),
                (f"lhs: {self.value}, rhs: Self", f"rhs.map {{ {self._applied(lhs, '$0')} }}")]:
            yield self._function([self.summary], f"({parameters}) -> Self", body)

    def of_assignments(self):
        comment = [
            f"The assignment of `column {self.name} value`.", "", "```swift",
            f'// UPDATE "player" SET "score" = "score" {self.name} ?',
            f'try Player.updateAll(db, Column("score") {self.name}= 2)', "```"]
        signature = "(column: Self, value: some SQLExpressible) -> ColumnAssignment"
        yield self._function(comment, signature, f"column.set(to: column {self.name} value)", suffix="=")

    def _applied(self, lhs, rhs):
        """The node of two expressions."""
        return re.sub(r"\b[lr]hs\b", lambda name: lhs if name[0] == "lhs" else rhs, self.node)

    def _function(self, comment, signature, body, suffix="", attribute=""):
        comment = "".join(f"  /// {line}".rstrip() + "\n" for line in comment)
        return f"{comment}  {attribute}public static func {self.name}{suffix} {signature} {{\n    {body}\n  }}\n"


def _expression(parameter, type):
    return f"SQLExpression(nullable: {parameter})" if type == "(any SQLExpressible)?" else f"{parameter}.sqlExpression"


def operators(text):
    """The operators of the list, whose first paragraph explains it."""
    return [Operator(paragraph) for paragraph in re.split(r"\n\n(?=\S)", text.strip())[1:]]
