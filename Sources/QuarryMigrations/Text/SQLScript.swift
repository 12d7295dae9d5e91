/// The statements of a text, with their lines.
struct SQLScript {
  struct Statement {
    let sql: String
    let line: Int
    let tokens: [SQLToken]
  }

  let statements: [Statement]

  /// - throws: ``UnterminatedToken``.
  init(_ sql: String) throws {
    let bytes = Array(sql.utf8)
    statements = try Self.split(SQLLexer.tokens(sql)).map { tokens in
      let range = tokens[0].range.lowerBound..<tokens[tokens.count - 1].range.upperBound
      return Statement(
        sql: String(decoding: bytes[range], as: UTF8.self), line: tokens[0].line, tokens: tokens)
    }
  }

  /// The same for scripts that differ in white space and comments alone.
  var key: String { statements.map(\.tokens.key).joined(separator: " ;\n") }

  /// A semicolon ends a statement. That of a trigger ends with `; END;`.
  ///
  /// See <https://www.sqlite.org/c3ref/complete.html>.
  private static func split(_ tokens: [SQLToken]) -> [[SQLToken]] {
    var statements: [[SQLToken]] = []
    var current: [SQLToken] = []
    for token in tokens {
      guard token.kind == .symbol, token.text == ";" else {
        current.append(token)
        continue
      }
      if current.isTrigger, !current.endsTrigger {
        current.append(token)
      } else {
        if !current.isEmpty { statements.append(current) }
        current = []
      }
    }
    return current.isEmpty ? statements : statements + [current]
  }
}

extension [SQLToken] {
  var isTrigger: Bool {
    guard first?.isOne(of: "CREATE") == true else { return false }
    let rest = dropFirst()
    let isTemporary = rest.first?.isOne(of: "TEMP", "TEMPORARY") == true
    return rest.dropFirst(isTemporary ? 1 : 0).first?.isOne(of: "TRIGGER") == true
  }

  fileprivate var endsTrigger: Bool {
    count > 1 && self[count - 1].isOne(of: "END") && self[count - 2].isOne(of: ";")
  }
}
