import Foundation

/// One line per row, for the eyes of a developer.
///
/// ```swift
/// // Arthur|1000
/// // Barbara|500
/// try db.dumpSQL("SELECT name, score FROM player ORDER BY name", format: .debug())
/// ```
///
/// Blobs are written as texts if they are UTF-8, else as UUIDs if they have 16 bytes, else as SQL
/// literals such as `X'01FF'`. The format may change: use another one for texts that a program
/// reads.
public struct DebugDumpFormat: Sendable {
  /// True if the names of the columns come first.
  public var header: Bool

  /// The text between two values.
  public var separator: String

  /// The text that is written for NULL.
  public var nullValue: String

  private var isFirstRow = true

  /// Creates a format.
  ///
  /// - parameter header: true if the names of the columns come first.
  /// - parameter separator: the text between two values.
  /// - parameter nullValue: what is written for NULL.
  public init(header: Bool = false, separator: String = "|", nullValue: String = "") {
    self.header = header
    self.separator = separator
    self.nullValue = nullValue
  }
}

extension DebugDumpFormat: DumpFormat {
  /// Writes a line.
  public mutating func writeRow(_ db: Database, statement: Statement, to stream: inout DumpStream) {
    statement.writeDelimitedRow(
      to: &stream, hasHeader: header && isFirstRow, separator: separator
    ) { Self.text(statement, $0) ?? nullValue }
    isFirstRow = false
  }

  private static func text(_ statement: Statement, _ column: Int) -> String? {
    let value = statement.dumpedValue(atColumn: column)
    return switch value.storage {
    case .null: nil
    case .int64(let int64): int64.description
    case .double(let double): double.description
    case .string(let string): string
    case .blob(let data):
      String(validUTF8: data) ?? UUID.fromDatabaseValue(value)?.uuidString
        ?? value.sqlLiteral
    }
  }
}

extension DumpFormat where Self == DebugDumpFormat {
  /// See ``DebugDumpFormat``.
  public static func debug(
    header: Bool = false, separator: String = "|", nullValue: String = ""
  ) -> Self { DebugDumpFormat(header: header, separator: separator, nullValue: nullValue) }
}
