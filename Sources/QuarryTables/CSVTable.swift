public import Quarry

/// A CSV file as a table.
///
/// ```swift
/// try db.register(table: "sale", CSVTable(path: "/data/sales.csv", types: ["price": .double]))
///
/// // SELECT book.title, SUM(sale.price) FROM sale JOIN book USING (isbn) GROUP BY isbn
/// ```
///
/// The file is read for each scan, with little memory. It has the format of RFC 4180, in UTF-8:
/// fields between delimiters, in double quotes where they contain delimiters, quotes (doubled), or
/// ends of lines. Lines end with CRLF, LF or CR. Empty lines are passed over. A line that has
/// another format, or another number of fields, is an error with the path and the number of the
/// line.
///
/// Values are texts, and converted by the affinity of the type of their column as if they were
/// inserted into a table: `12` is an integer in an `INTEGER` column, and a text in a `TEXT` column.
/// An empty field is NULL in a column that has the affinity of a number, and an empty text in
/// others, unless `null` names the field that stands for NULL.
///
/// The rowid is the number of the line where a record begins.
///
/// A file that is written to while it is read is an error. It may be deleted or replaced: the scan
/// reads the former file to its end. The next one opens the new file, which must have the same
/// header.
///
/// See <https://www.rfc-editor.org/rfc/rfc4180>.
public struct CSVTable: VirtualTable {
  /// The columns.
  public let columns: [VirtualTableColumn]

  /// The places where the table may be used.
  public let trust: SchemaTrust

  private let path: String
  private let delimiter: UInt8
  /// The bytes of the field that stands for NULL.
  private let null: [UInt8]?
  /// The first line, unless there is none.
  private let header: [String]?

  /// Opens a file, and reads its first line.
  ///
  /// - parameter path: The path of the file.
  /// - parameter columns: The columns, as many as the file has. By default, the header names them,
  ///   or they are named `column1`, `column2`, and so on.
  /// - parameter types: The types of columns by name: `TEXT` for those that are not mentioned. It
  ///   has no effect on `columns`.
  /// - parameter hasHeader: Whether the first line contains the names of the columns.
  /// - parameter delimiter: The separator of fields: an ASCII character.
  /// - parameter null: The field that stands for NULL in all columns, where it is not in quotes. An
  ///   empty field is an empty text then, unless it is this one.
  /// - throws: A `DatabaseError` when the file can't be read, or its columns don't fit.
  public init(
    path: String, columns: [VirtualTableColumn]? = nil,
    types: [String: Database.ColumnType] = [:], hasHeader: Bool = true,
    delimiter: Character = ",", null: String? = nil
  ) throws {
    try self.init(
      path: path, columns: columns, types: types, hasHeader: hasHeader, delimiter: delimiter,
      null: null, trust: .normal)
  }

  init(
    path: String, columns: [VirtualTableColumn]?, types: [String: Database.ColumnType],
    hasHeader: Bool, delimiter: Character, null: String?, trust: SchemaTrust
  ) throws {
    guard let byte = delimiter.asciiValue, !"\"\r\n".utf8.contains(byte) else {
      throw DatabaseError(message: "no delimiter of fields: \(String(delimiter).debugDescription)")
    }
    self.path = path
    self.trust = trust
    self.delimiter = byte
    self.null = null.map { Array($0.utf8) }
    let reader = try CSVReader(path: path, delimiter: byte)
    let isEmpty = try !reader.next(fieldCount: columns?.count, isHeader: hasHeader)
    guard !isEmpty || !hasHeader && columns != nil else {
      throw reader.error("the file is empty", line: 1)
    }
    let first = isEmpty ? [] : try reader.fields.map(reader.text)
    header = hasHeader ? first : nil
    self.columns = try columns ?? Self.columns(first, hasHeader, types, reader)
  }

  private static func columns(
    _ first: [String], _ hasHeader: Bool, _ types: [String: Database.ColumnType],
    _ reader: CSVReader
  ) throws -> [VirtualTableColumn] {
    let names = hasHeader ? first : first.indices.map { "column\($0 + 1)" }
    if let index = names.firstIndex(of: "") {
      throw reader.error("column \(index + 1) has no name")
    }
    let unknown = types.keys.sorted().first { key in
      !names.contains { $0.isSameIdentifier(as: key) }
    }
    if let unknown { throw reader.error("no such column: \(unknown)") }
    return names.map { name in
      let type = types.first { $0.key.isSameIdentifier(as: name) }?.value
      return VirtualTableColumn(name, type ?? .text)
    }
  }

  /// Takes care of the equality of texts: a row that does not fit is passed over before its values
  /// are made. Of several equalities, it takes care of lists, and of columns of numbers: others may
  /// be those of row values, whose rows SQLite compares in another way then.
  public func plan(_ query: inout VirtualTableQuery) throws {
    let reader = try CSVReader(path: path, delimiter: delimiter)
    // About 50 bytes for each row.
    let rowCount = max(1, reader.fileSize / 50)
    query.estimatedCost = Double(rowCount)
    query.estimatedRowCount = rowCount
    for constraint in query.constraints where query.isOrdinaryEquality(constraint, columns) {
      query.use(constraint, wholeList: true)
      query.estimatedRowCount = max(1, rowCount / 20)
    }
  }

  /// Opens the file.
  public func makeCursor(_ db: Database, for scan: VirtualTableScan) throws -> Cursor {
    let reader = try CSVReader(path: path, delimiter: delimiter)
    if let header {
      guard try reader.next(fieldCount: nil) else {
        throw reader.error("the file is empty", line: 1)
      }
      let found = try reader.fields.map(reader.text)
      guard found.hasSameTexts(as: header) else {
        throw reader.error("the columns have changed: \(found.joined(separator: ", "))")
      }
    }
    return Cursor(
      scan: CSVScan(
        reader: reader, affinities: columns.map(\.affinity), null: null,
        filters: scan.conditions.compactMap { CSVFilter($0, columns) }))
  }

  /// Reads the rows of a file.
  public struct Cursor: VirtualTableCursor {
    // One object: a cursor is copied for each value.
    fileprivate let scan: CSVScan

    /// SQLite only looks between rows whether the statement was interrupted.
    private static let maximumSkip = 10_000

    /// Moves to the next row that fits, or to one that does not, from time to time.
    public mutating func next() throws -> Bool {
      for _ in 0..<Self.maximumSkip {
        guard try scan.reader.next(fieldCount: scan.affinities.count) else { return false }
        if try scan.fits() { return true }
      }
      return true
    }

    /// The value of a field.
    public func value(at column: Int) throws -> (any DatabaseValueConvertible)? {
      let reader = scan.reader
      let field = reader.fields[column]
      let affinity = scan.affinities[column]
      let isText = affinity == .text || affinity == .none
      if scan.isNull(field, isText: isText) { return nil }
      if !isText, let integer = unsafe reader.bytes(field).integer {
        return affinity == .real ? Double(integer) : integer
      }
      let text = try reader.text(field)
      return isText ? text : Self.number(text, affinity) ?? text
    }

    fileprivate static func number(
      _ text: String, _ affinity: VirtualTableColumn.Affinity
    ) -> (any DatabaseValueConvertible)? {
      guard let number = ComparisonKey.number(text) else { return nil }
      switch number.storage {
      case .int64(let integer): return affinity == .real ? Double(integer) : integer
      case .double(let double):
        // SQLite leaves the least integer a real.
        guard affinity != .real, let integer = Int64(exactly: double), integer != .min else {
          return double
        }
        return integer
      default: return nil
      }
    }

    /// The number of the line where the record begins.
    public var rowID: Int64 { Int64(scan.reader.line) }
  }
}

/// A scan of a file.
private final class CSVScan {
  let reader: CSVReader
  let affinities: [VirtualTableColumn.Affinity]
  private let null: [UInt8]?
  private let filters: [CSVFilter]

  init(
    reader: CSVReader, affinities: [VirtualTableColumn.Affinity], null: [UInt8]?,
    filters: [CSVFilter]
  ) {
    self.reader = reader
    self.affinities = affinities
    self.null = null
    self.filters = filters
  }

  func isNull(_ field: CSVReader.Field, isText: Bool) -> Bool {
    guard let null else { return !isText && field.start == field.end }
    return unsafe !field.isQuoted && reader.bytes(field).elementsEqual(null)
  }

  /// Returns false if a condition is certainly false for the current record.
  func fits() throws -> Bool {
    for filter in filters {
      guard try filter.mayHold(for: reader.fields[filter.column], of: reader) else { return false }
    }
    return true
  }
}

/// A condition on the bytes of a field.
struct CSVFilter {
  let column: Int
  private let affinity: VirtualTableColumn.Affinity
  private let condition: VirtualTableScan.Condition
  /// The only value, if it is a text and no number: no other text can be equal to it.
  private var bytes: [UInt8]?
  /// The only value, if it is an integer, or a text that may be converted to one.
  private var integer: Int64?

  init?(_ condition: VirtualTableScan.Condition, _ columns: [VirtualTableColumn]) {
    guard let column = condition.column else { return nil }
    self.column = column
    affinity = columns[column].affinity
    self.condition = condition
    guard condition.values.count == 1, case .value(let key) = ComparisonKey(condition.value) else {
      return
    }
    switch key.storage {
    case .int64(let integer): self.integer = integer
    case .string(let text): bytes = Array(text.utf8)
    default: break
    }
  }

  /// Returns false if the condition is certainly false for a field.
  func mayHold(for field: CSVReader.Field, of reader: CSVReader) throws -> Bool {
    let content = unsafe reader.bytes(field)
    if let bytes {
      if field.hasQuotes { return true }
      return unsafe content.count == bytes.count && content.elementsEqual(bytes)
    }
    if let integer {
      guard let first = unsafe content.first else { return false }
      if !first.mayBeginNumber { return false }
      if let number = unsafe content.integer {
        return affinity == .real ? Double(number) == Double(integer) : number == integer
      }
    }
    let text = try reader.text(field)
    let number = affinity.isOfNumbers ? CSVTable.Cursor.number(text, affinity) : nil
    return condition.mayHold(for: number?.databaseValue ?? text.databaseValue)
  }
}

extension UInt8 {
  /// True for white space, digits, signs, and points.
  fileprivate var mayBeginNumber: Bool {
    self == 0x20 || 0x09...0x0D ~= self || 0x2B...0x2E ~= self || 0x30...0x39 ~= self
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The integer of up to 18 digits that the bytes are.
  fileprivate var integer: Int64? {
    guard let first = unsafe first, count <= 18 else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    var value: Int64 = 0
    for index in (isNegative ? 1 : 0)..<count {
      let byte = unsafe self[index]
      guard 0x30...0x39 ~= byte else { return nil }
      value = value &* 10 &+ Int64(byte &- 0x30)
    }
    return isNegative ? (count > 1 ? -value : nil) : value
  }
}
