import Quarry

extension SQLLexer {
  /// A statement that creates a table, without the name of the table before columns:
  /// `CHECK (pages > 0)` for `CHECK (book.pages > 0)`. It means the same under another name.
  static func unqualified(_ sql: String, by table: String) -> String {
    guard sql.utf8.contains(UInt8(ascii: ".")) else { return sql }
    let tokens = tokens(ofSchema: sql)
    let isDot = { (index: Int) in index < tokens.count && tokens[index].isOne(of: ".") }
    // The columns begin after the name of the table itself.
    let body = tokens.firstIndex { $0.isOne(of: "(") } ?? tokens.count
    var bytes = Array(sql.utf8)
    for index in tokens.indices.dropLast(2).reversed()
    where index > body && isDot(index + 1) && !isDot(index + 3)
      && tokens[index].kind != .symbol && tokens[index].name.isSameIdentifier(as: table)
    {
      // SQLite passes over the name of a schema before it.
      let start = isDot(index - 1) ? index - 2 : index
      bytes.removeSubrange(tokens[start].range.lowerBound..<tokens[index + 2].range.lowerBound)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
