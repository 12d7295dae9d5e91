// SQL written by hand, with what is interpolated in it.

extension SQLWriter {
  /// Writes SQL, and the end of a comment that has none: what is written next would be a part of
  /// it.
  mutating func write(_ sql: SQL) throws {
    for (index, element) in sql.elements.enumerated() {
      switch element {
      case .raw(let text, let arguments): try write(raw: text, arguments: arguments)
      case .expression(let expression): try write(expression)
      case .selection(let selection): try write(selection)
      case .ordering(let ordering): _ = try write(ordering, isReversed: false)
      case .subquery(let query): try write(query)
      case .identifier(let name): buffer.append(identifier: name)
      case .table(let name, let schema):
        if let schema {
          buffer.append(identifier: schema)
          buffer.append(".")
        }
        buffer.append(identifier: name)
      case .list(let elements):
        let isOperand = index > 0 && sql.elements[index - 1].endsWithIN
        if isOperand, writeJSON(elementsOf: elements) { continue }
        try writeList(elements)
      case .definition(let expression): try write(expression)
      case .columns(let selection, _, let name):
        try write(columns: selection, name: name)
      }
    }
    if let end = sql.missingCommentEnd { buffer.append(end) }
  }

  /// `(?,?)`. SQLite has no empty list on the right of `IN` but `()`, which is no standard SQL.
  private mutating func writeList(_ elements: [SQLExpression]) throws {
    if elements.isEmpty {
      buffer.append("(SELECT NULL WHERE NULL)")
      return
    }
    buffer.append("(")
    for (index, element) in elements.enumerated() {
      if index > 0 { buffer.append(",") }
      try write(oneOfMany: element)
    }
    buffer.append(")")
  }

  /// The columns of a record type, qualified by a name of the text.
  private mutating func write(
    columns selection: [SQLSelection], name: String
  ) throws {
    let scope = QueryScope(names: [name], isQualified: true)
    try withScope(scope) { try $0.write(list: selection) }
  }
}

extension SQL {
  /// What ends the comment that the SQL ends in. Nil if there is none, and for comments that have
  /// their end.
  fileprivate var missingCommentEnd: StaticString? {
    guard mayEndInComment else { return nil }
    // What is interpolated is no comment, and may stand in one.
    let text = elements.map { $0.rawText ?? "x" }.joined()
    if text.admitsSQL(behind: "") { return nil }
    if text.admitsSQL(behind: "\n") { return "\n" }
    return text.admitsSQL(behind: " */") ? " */" : nil
  }

  private var mayEndInComment: Bool {
    var marks = CommentMarks()
    for case .raw(let text, _) in elements { marks.read(text) }
    return marks.isInLine || marks.isInBlock
  }
}

/// The comments that may have begun in SQL, as if there were no quotes: all texts are looked
/// through, and few have tokens to be read.
private struct CommentMarks {
  private(set) var isInLine = false
  private(set) var isInBlock = false

  mutating func read(_ text: String) {
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\n"): isInLine = false
      case UInt8(ascii: "-") where previous == byte: isInLine = true
      case UInt8(ascii: "/") where previous == UInt8(ascii: "*"): isInBlock = false
      case UInt8(ascii: "*") where previous == UInt8(ascii: "/"):
        isInBlock = true
        // The star of `/*/` does not end the comment.
        previous = 0
        continue
      default: break
      }
      previous = byte
    }
  }
}

extension SQL.Element {
  fileprivate var rawText: String? {
    if case .raw(let text, _) = self { text } else { nil }
  }
}

extension String {
  /// Whether SQL behind the text, and what ends it, is no part of a comment or of a quoted text.
  fileprivate func admitsSQL(behind end: String) -> Bool {
    var last: SQLTokens.Token?
    for token in SQLTokens("\(self)\(end);") { last = token }
    if case .symbol(UInt8(ascii: ";"), _)? = last { return true }
    return false
  }
}

extension SQL.Element {
  /// Whether a list after it is the right operand of `IN`.
  fileprivate var endsWithIN: Bool {
    guard case .raw(let text, _) = self else { return false }
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || (9...13).contains(byte) }
    let word = text.utf8.reversed().drop(while: isSpace).prefix { !isSpace($0) }
    return String(decoding: word.reversed(), as: UTF8.self).lowercased() == "in"
  }
}
