import Quarry

extension LogTable.Group {
  /// The bytes that are equal where SQLite takes the values for equal. Nil with a null, which
  /// equals nothing, and for columns that the row does not have.
  func bytes(_ values: [DatabaseValue], _ ownColumns: [Int]? = nil) -> [UInt8]? {
    var bytes: [UInt8] = []
    for (column, collation) in zip(ownColumns ?? columns, collations) {
      guard column < values.count, !values[column].isNull else { return nil }
      bytes += ChangesetWriter.record([values[column].canonical(collation)])
    }
    return bytes
  }
}

extension DatabaseValue {
  /// The value of those that are equal for SQLite: whole numbers are integers.
  func canonical(_ collation: Collation = .binary) -> DatabaseValue {
    switch (storage, collation) {
    case (.double(let number), _): Int64(exactly: number)?.databaseValue ?? self
    case (.string(let text), .nocase): text.canonicalNoCase.databaseValue
    case (.string(let text), .rtrim): text.withoutTrailingSpaces.databaseValue
    default: self
    }
  }
}

extension String {
  /// SQLite compares texts with the collation NOCASE up to a NUL, and then the numbers of their
  /// bytes.
  fileprivate var canonicalNoCase: String {
    let start = utf8.prefix { $0 != 0 }
    let text = String(Substring(start)).lowercasedASCII
    return start.endIndex == utf8.endIndex ? text : "\(text)\0\(utf8.count)"
  }

  /// Without the bytes that are spaces: in Swift, a space may be a part of another character.
  fileprivate var withoutTrailingSpaces: String {
    let count = utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
    return String(Substring(utf8.dropLast(count)))
  }
}

/// A row, by its table in lowercase and the bytes of its key.
struct RowKey: Hashable {
  let table: String
  let bytes: [UInt8]

  /// - parameter isKey: Whether the values are those of the key only.
  init(_ table: LogTable, _ values: [DatabaseValue], isKey: Bool = false) {
    self.table = table.name.lowercasedASCII
    let key = isKey ? values : table.keyColumns.map { values[$0] }
    bytes = ChangesetWriter.record(key.map { $0.canonical() })
  }

  init(table: String, bytes: [UInt8]) {
    self.table = table
    self.bytes = bytes
  }

  /// The values of the key, in the order of the columns.
  func values(_ table: LogTable) -> [DatabaseValue] {
    var writer = ChangesetWriter()
    let count = table.keyColumns.count
    writer.append(.insert, of: "k", (1...count).map { UInt8(clamping: $0) }, new: [])
    let insertion = writer.bytes + bytes
    var reader = ChangesetReader(insertion)
    // A log may have the key of a table that has another one now.
    guard let change = try? reader.next(), let header = reader.table else { return [] }
    return Change(header, change, insertion).newValues?.map { $0 ?? .null } ?? []
  }
}
