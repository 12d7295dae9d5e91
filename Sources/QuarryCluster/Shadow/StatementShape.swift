import CSQLite
import Foundation
import Quarry

/// The columns and the parameters of a statement, as the shadow has compiled it.
struct StatementShape {
  struct Column {
    let name: String
    /// The declared type of the column of a table that it shows as it is.
    let declaredType: String?
  }

  let columns: [Column]
  /// The names of the parameters with their prefix, nil for those without name.
  let parameters: [String?]

  init(_ statement: SQLiteStatement) {
    columns = unsafe (0..<sqlite3_column_count(statement)).map { index in
      let name = unsafe sqlite3_column_name(statement, index).map { unsafe String(cString: $0) }
      let type = unsafe sqlite3_column_decltype(statement, index).map { unsafe String(cString: $0) }
      return Column(name: name ?? "", declaredType: type)
    }
    parameters = unsafe (0..<sqlite3_bind_parameter_count(statement)).map { index in
      let name = unsafe sqlite3_bind_parameter_name(statement, index + 1)
      let text = unsafe name.map { unsafe String(cString: $0) }
      return text?.hasPrefix("?") == true ? nil : text
    }
  }

  var columnNames: [String] { columns.map(\.name) }

  /// Throws for columns whose values a node would change, or abort on.
  ///
  /// A node encodes the values of columns that are declared as BOOLEAN, DATE, DATETIME or TIMESTAMP
  /// by that type: NULL becomes false, 7 becomes true, and a number or a blob in a date aborts it.
  /// An expression has no declared type.
  func checkHazards(_ sql: String) throws {
    for column in columns {
      guard let type = column.declaredType, Self.hazards[type.uppercased()] != nil else { continue }
      throw ClusterError(
        .unsupported,
        "a node can't send the column \(column.name.debugDescription) as it is, since it is declared "
          + "as \(type): it would send another value for NULL, or stop. Select +\(column.name), or "
          + "declare it as \(Self.hazards[type.uppercased()] ?? ""), which stores the same values - "
          + "`\(sql)`")
    }
  }

  /// The types with which a node changes values, and those that store the same values.
  static let hazards = [
    "BOOLEAN": "BOOL", "DATE": "DATE_ONLY", "DATETIME": "DATE_TIME", "TIMESTAMP": "TIME_STAMP",
  ]
}

extension StatementShape {
  /// The bytes in which the names of the columns have to fit.
  ///
  /// A node sends rows in pages, of which each begins with the names. Where they fill it, it sends
  /// pages without rows, and does not stop.
  private static let largestNames = 4072

  private var namesFit: Bool {
    Self.largestNames >= columns.reduce(0) { $0 + ($1.name.utf8.count + 8) / 8 * 8 }
  }

  /// The text for the node, and the names of its columns: others where the names of a query are too
  /// long, such as that of `EXISTS (…)` with many arguments, which is its text.
  ///
  /// Rows of a query without ORDER BY have no order that another query around it could change.
  func nodeText(_ statement: CompiledStatement) throws -> (sql: String, columnNames: [String]) {
    if namesFit { return (statement.sql, columnNames) }
    let words = StatementWords(statement.sql)
    let isQuery =
      ["SELECT", "WITH", "VALUES"].contains(words.first) && statement.effects.isReadonly
    guard isQuery, !words.contains("ORDER"), columns.count * 8 <= Self.largestNames else {
      throw ClusterError(
        .unsupported,
        "the names of the columns are too long for a node, which would send pages without rows: "
          + "\(Self.largestNames) bytes at most, and 8 for each column at least: give the columns short "
          + "names with AS, or select fewer - `\(statement.sql)`")
    }
    let names = columns.indices.map { "c\($0)" }
    return (
      "WITH quarry(\(names.joined(separator: ", "))) AS (\(statement.sql)\n) SELECT * FROM quarry",
      names
    )
  }

  /// The most columns that the virtual table can have, besides those of its arguments.
  static let largestColumnCount = 1998

  /// The statement that is stepped in the place of this one: with the same parameters and, if it
  /// has columns, with these.
  func replacement(_ id: Int) throws -> String {
    guard columns.count <= Self.largestColumnCount else {
      throw ClusterError(
        .unsupported, "a statement on a cluster has \(Self.largestColumnCount) columns at most")
    }
    guard !columns.isEmpty else {
      return "INSERT INTO \(RemoteTables.executions) (statement, arguments) "
        + "VALUES (\(id), \(arguments))"
    }
    let list = columns.indices.map { index in
      "v\(index) AS \"\(columns[index].name.replacing("\"", with: "\"\""))\""
    }
    return "SELECT \(list.joined(separator: ", ")) FROM \(RemoteTables.rows)(\(id), \(arguments))"
  }

  /// The calls that take the arguments: a function has a limited number of them, and an expression
  /// a limited depth.
  private var arguments: String {
    var calls = stride(from: 0, to: parameters.count, by: 100).map { start in
      let names = (start..<min(start + 100, parameters.count)).map { index in
        // A name takes the next number at its first use.
        parameters[index] ?? "?\(index + 1)"
      }
      return "\(RemoteTables.function)(\(start), \(names.joined(separator: ", ")))"
    }
    while calls.count > 1 {
      calls = stride(from: 0, to: calls.count, by: 2).map { index in
        index + 1 < calls.count ? "(\(calls[index]) + \(calls[index + 1]))" : calls[index]
      }
    }
    return calls.first ?? "0"
  }
}
