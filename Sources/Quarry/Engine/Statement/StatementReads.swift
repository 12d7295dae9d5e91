/// The columns that a statement reads, itself or through views and triggers, as SQLite reports them
/// when it compiles the statement.
///
/// They are kept as one text, since few ask for them: a schema, a table, a column, each with a zero
/// at its end. See <https://www.sqlite.org/c3ref/c_alter_table.html>.
struct StatementReads {
  private var bytes: [UInt8] = []

  /// - parameter column: empty for a table of which no column is read.
  mutating func append(
    schema: UnsafePointer<CChar>?, table: UnsafePointer<CChar>, column: UnsafePointer<CChar>?
  ) {
    unsafe append(schema)
    unsafe append(table)
    unsafe append(column)
  }

  private mutating func append(_ text: UnsafePointer<CChar>?) {
    if var next = unsafe text {
      while unsafe next.pointee != 0 {
        unsafe bytes.append(UInt8(bitPattern: next.pointee))
        unsafe next += 1
      }
    }
    bytes.append(0)
  }

  func forEach(_ body: (_ schema: String, _ table: String, _ column: String) -> Void) {
    var rest = bytes[...]
    func next() -> String {
      let text = rest.prefix { $0 != 0 }
      rest = rest[(text.endIndex + 1)...]
      return String(decoding: text, as: UTF8.self)
    }
    while !rest.isEmpty { body(next(), next(), next()) }
  }
}
