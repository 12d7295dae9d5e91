import Quarry

/// A `CREATE TABLE` statement as SQLite keeps it.
///
/// See <https://www.sqlite.org/lang_createtable.html>.
struct TableText {
  let name: String
  let columns: [ColumnText]
  /// The constraints after the columns.
  let constraints: [Constraint]
  /// `WITHOUT ROWID`, `STRICT`
  let options: Set<String>
  let sql: String

  struct Constraint {
    let tokens: [SQLToken]
    let sql: String
  }

  init(name: String, sql: String) {
    (self.name, self.sql) = (name, sql)
    let tokens = SQLLexer.tokens(ofSchema: sql)
    let bytes = Array(sql.utf8)
    let start = tokens.firstIndex { $0.depthChange == 1 } ?? tokens.count
    var items: [[SQLToken]] = [[]]
    var depth = 1
    var end = min(start + 1, tokens.count)
    while end < tokens.count {
      let token = tokens[end]
      depth += token.depthChange
      if depth == 0 { break }
      if depth == 1, token.kind == .symbol, token.text == "," {
        items.append([])
      } else {
        items[items.count - 1].append(token)
      }
      end += 1
    }
    let texts = items.filter { !$0.isEmpty }.map { item in
      let range = item[0].range.lowerBound..<item[item.count - 1].range.upperBound
      return (item, String(decoding: bytes[range], as: UTF8.self))
    }
    let isConstraint = { (item: [SQLToken]) in
      item[0].isOne(of: ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"])
    }
    columns = texts.filter { !isConstraint($0.0) }.map { ColumnText($0.0, sql: $0.1) }
    constraints = texts.filter { isConstraint($0.0) }.map { Constraint(tokens: $0.0, sql: $0.1) }
    let rest = tokens.dropFirst(end + 1).map { $0.text.asciiUppercased }
    options = Set(
      rest.filter { $0 == "STRICT" } + (rest.contains("WITHOUT") ? ["WITHOUT ROWID"] : []))
  }

  /// The same table, without its name before columns: so it can be created under another one.
  var unqualified: TableText {
    let text = SQLLexer.unqualified(sql, by: name)
    return text.hasSameBytes(as: sql) ? self : TableText(name: name, sql: text)
  }

  func column(_ name: String) -> ColumnText? {
    columns.first { $0.name.isSameIdentifier(as: name) }
  }

  /// The columns of the primary key.
  var primaryKey: [String] {
    let own = columns.filter { $0.clause("PRIMARY") != nil }.map(\.name)
    guard own.isEmpty else { return own }
    return keyConstraint?.tokens.drop { !$0.isOne(of: "PRIMARY") }.dropFirst(2).columnList ?? []
  }

  private var keyConstraint: Constraint? {
    constraints.first { $0.tokens.contains { $0.isOne(of: "PRIMARY") } }
  }

  /// The name of the rowids in SQL: that of a column where columns have all their names. Nil
  /// without any.
  var rowIDName: String? {
    guard !options.contains("WITHOUT ROWID") else { return nil }
    return ["rowid", "_rowid_", "oid"].first { name in
      column(name) == nil || rowIDAlias?.isSameIdentifier(as: name) == true
    } ?? rowIDAlias?.quotedDatabaseIdentifier
  }

  /// The column that shows the rowid.
  ///
  /// See <https://www.sqlite.org/lang_createtable.html#rowid>.
  var rowIDAlias: String? {
    guard !options.contains("WITHOUT ROWID"), primaryKey.count == 1,
      let column = column(primaryKey[0]), column.isInteger,
      column.clause("PRIMARY")?.tokens.contains(where: { $0.isOne(of: "DESC") }) != true
    else { return nil }
    return column.name
  }

  var isAutoincremented: Bool {
    let clauses =
      columns.compactMap { $0.clause("PRIMARY")?.tokens } + [keyConstraint?.tokens ?? []]
    return clauses.contains { $0.contains { $0.isOne(of: "AUTOINCREMENT") } }
  }
}

extension Sequence<SQLToken> {
  /// The names of `(a, b)`, if the tokens are nothing else.
  var plainColumns: [String]? {
    let tokens = Array(self)
    guard tokens.count > 2, tokens.count % 2 == 1, tokens[0].depthChange == 1,
      tokens[tokens.count - 1].depthChange == -1
    else { return nil }
    let items = tokens.dropFirst().dropLast()
    let isPlain = items.enumerated().allSatisfy { index, token in
      index % 2 == 1
        ? token.isOne(of: ",")
        : token.kind == .quotedName || token.kind == .word && !token.isReserved
    }
    return isPlain ? stride(from: 1, to: tokens.count, by: 2).map { tokens[$0].name } : nil
  }

  /// The names of `(a, b COLLATE NOCASE DESC)` at the beginning.
  var columnList: [String] {
    let tokens = Array(self)
    guard tokens.first?.depthChange == 1 else { return [] }
    let list = tokens.dropFirst().prefix { $0.depthChange != -1 }
    return list.split { $0.kind == .symbol && $0.text == "," }.map { $0[$0.startIndex].name }
  }
}
