import CSQLite
import Foundation
import Quarry

/// Which side executes a statement.
enum StatementRoute {
  /// The node.
  case node
  /// The shadow: the engine sees to the transaction of the node.
  case shadow
  /// Both.
  case shared(SharedStatement.Kind)

  /// - throws: ``ClusterError`` for a statement that no node executes, or not as SQLite does.
  init(_ statement: CompiledStatement) throws {
    if statement.effects.transaction != nil {
      self = .shadow
      return
    }
    if unsafe sqlite3_stmt_isexplain(statement.pointer) != 0 {
      self = .node
      return
    }
    let words = StatementWords(statement.sql)
    switch words.first {
    case "PRAGMA": self = try PragmaRoute(words, statement.sql).route
    case "ATTACH", "DETACH":
      throw refused(
        statement.sql, "a node has no other databases",
        "open another DatabaseCluster with the name of the other database")
    case "VACUUM" where words.contains("INTO"):
      throw refused(
        statement.sql, "a node has no files for it",
        "copy the database with ClusterAdministration.dump(_:to:)")
    case "VACUUM": self = .shared(.vacuum)
    case "ANALYZE", "REINDEX": self = .shared(.definition)
    default:
      guard statement.effects.changesSchema else {
        self = .node
        return
      }
      guard unsafe sqlite3_bind_parameter_count(statement.pointer) == 0 else {
        throw refused(
          statement.sql, "a change of the schema is sent without arguments",
          "write the values into the SQL text, or create the table first and fill it afterwards")
      }
      self = .shared(.definition)
    }
  }
}

private func refused(_ sql: String, _ reason: String, _ wayOut: String) -> ClusterError {
  ClusterError(
    .unsupported, "the statement can't be executed on a cluster: \(reason): \(wayOut) - `\(sql)`")
}

/// The words of a statement in capitals, without comments. Those in quotes are among them.
struct StatementWords {
  private let words: [String]

  init(_ sql: String) {
    var words: [String] = []
    var rest = Substring(sql)
    while let next = rest.first {
      if rest.hasPrefix("--") {
        rest = rest.drop { $0 != "\n" && $0 != "\r\n" }
      } else if rest.hasPrefix("/*") {
        let body = rest.dropFirst(2)
        rest = body.range(of: "*/").map { body[$0.upperBound...] } ?? ""
      } else if next.isLetter || next == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        words.append(word.uppercased())
        rest = rest[word.endIndex...]
      } else {
        // SQLite reads the mark of the byte order as white space.
        if !next.isWhitespace, next != "\u{FEFF}" { words.append(String(next)) }
        rest = rest.dropFirst()
      }
    }
    self.words = words
  }

  var first: String? { words.first }

  func contains(_ word: String) -> Bool { words.contains(word) }

  /// The words after the first one.
  var others: ArraySlice<String> { words.dropFirst() }
}

/// Which side executes a pragma.
///
/// See <https://www.sqlite.org/pragma.html>.
struct PragmaRoute {
  let route: StatementRoute

  /// The pragmas that read, with or without an argument.
  private static let reading: Set = [
    "APPLICATION_ID", "COLLATION_LIST", "COMPILE_OPTIONS", "DATA_VERSION", "DATABASE_LIST",
    "FOREIGN_KEY_CHECK", "FOREIGN_KEY_LIST", "FREELIST_COUNT", "FUNCTION_LIST", "INDEX_INFO",
    "INDEX_LIST", "INDEX_XINFO", "INTEGRITY_CHECK", "MODULE_LIST", "PAGE_COUNT", "PRAGMA_LIST",
    "QUICK_CHECK", "TABLE_INFO", "TABLE_LIST", "TABLE_XINFO", "USER_VERSION",
  ]

  /// Those that change the connection, or what the shadow compiles.
  static let connection: Set = [
    "AUTOMATIC_INDEX", "CASE_SENSITIVE_LIKE", "DEFER_FOREIGN_KEYS", "FOREIGN_KEYS",
    "IGNORE_CHECK_CONSTRAINTS", "LEGACY_ALTER_TABLE", "QUERY_ONLY", "RECURSIVE_TRIGGERS",
    "REVERSE_UNORDERED_SELECTS", "TRUSTED_SCHEMA",
  ]

  init(_ words: StatementWords, _ sql: String) throws {
    var words = words.others
    // A quoted name is in quotes, and so is that of a schema.
    words.removeAll { $0 == "\"" || $0 == "`" || $0 == "[" || $0 == "]" || $0 == "'" }
    let isQualified = words.dropFirst().first == "."
    if isQualified { words = words.dropFirst(2) }
    let name = words.first ?? ""
    let hasValue = words.count > 1
    switch name {
    case _ where Self.reading.contains(name): route = .node
    case "BUSY_TIMEOUT" where !hasValue:
      // The time for which the engine waits for others.
      route = .shadow
    case _ where !hasValue: route = .node
    case _ where Self.connection.contains(name): route = .shared(.pragma(name.lowercased()))
    default:
      throw refused(
        sql, "PRAGMA \(name.lowercased()) would have no effect, or stop the node",
        "leave it to the nodes, or set it in `Configuration` where there is a property for it")
    }
  }
}
