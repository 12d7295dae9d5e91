extension Diagram {
  /// See <https://mermaid.js.org/syntax/entityRelationshipDiagram.html>.
  var mermaid: String {
    let entities = tables.enumerated().map { index, table in
      let lines = table.columns.map { "    \(attribute($0, of: table))\n" }.joined()
      return "  t\(index)[\"\(Self.text(table.name))\"] {\n\(lines)  }\n"
    }
    let relationships = links.map { link in
      let parent = link.isRequired ? "||" : "|o"
      let child = link.isUnique ? "o|" : "o{"
      let label = Self.text(link.key.columns.joined(separator: ", "))
      return "  t\(link.parent) \(parent)--\(child) t\(link.child) : \"\(label)\"\n"
    }
    return "erDiagram\n" + entities.joined() + relationships.joined()
  }

  /// `TEXT title "not null"`. Types and names have few characters in Mermaid: the comment has the
  /// name as it is.
  private func attribute(_ column: Catalog.Column, of table: Catalog.Table) -> String {
    let type = Self.word(column.type.isEmpty ? "ANY" : column.type)
    let name = Self.word(column.name)
    let keys = table.keyMarks(of: column)
    let comments =
      (name == column.name ? [] : [Self.text(column.name)]) + (column.isNotNull ? ["not null"] : [])
    let comment = comments.isEmpty ? "" : "\"\(comments.joined(separator: ", "))\""
    return [type, name, keys.joined(separator: ", "), comment].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  private static func word(_ text: String) -> String {
    let word = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return word.first?.isLetter == true ? word : "_" + word
  }

  private static func text(_ text: String) -> String {
    text.onOneLine.replacing(scalar: "\"", with: "#quot;")
  }
}
