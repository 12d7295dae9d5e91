public import Foundation

/// A JSON array of one object per row.
///
/// ```swift
/// // [{"name":"Arthur","score":1000},
/// // {"name":"Barbara","score":500}]
/// try db.dumpSQL("SELECT name, score FROM player ORDER BY name", format: .json())
/// ```
///
/// The keys are in the order of the columns, unless the encoder sorts keys; a name that several
/// columns share stands there for each of them. With an encoder that pretty-prints, each key has
/// its line. Blobs are written by the strategy of the encoder, in Base64 by default; infinities are
/// the strings `"inf"` and `"-inf"` by default.
public struct JSONDumpFormat: Sendable {
  /// A new encoder with the default options.
  public static var defaultEncoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  /// Encodes keys and values, one by one.
  public var encoder: JSONEncoder

  private var isFirstRow = true

  /// Creates a format.
  ///
  /// - parameter encoder: encodes keys and values, one by one.
  public init(encoder: JSONEncoder = JSONDumpFormat.defaultEncoder) { self.encoder = encoder }
}

extension JSONDumpFormat: DumpFormat {
  /// Writes an object.
  ///
  /// - throws: the error of the encoder.
  public mutating func writeRow(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) throws {
    var members = try statement.dumpedColumns.map { column, name in
      (name: name, json: try json(statement.dumpedValue(atColumn: column)))
    }
    if encoder.outputFormatting.contains(.sortedKeys) { members.sort { $0.name < $1.name } }
    let isPretty = encoder.outputFormatting.contains(.prettyPrinted)
    let object = try members.map { try json($0.name) + ":" + $0.json }
    stream.write(isFirstRow ? (isPretty ? "[\n" : "[") : ",\n")
    isFirstRow = false
    stream.write(
      isPretty && !object.isEmpty
        ? "  {\n    \(object.joined(separator: ",\n    "))\n  }"
        : "{\(object.joined(separator: ","))}")
  }

  /// Closes the array, which is empty when there was no row.
  public mutating func finalize(_ db: Database, statement: Statement, to stream: inout DumpStream) {
    guard statement.columnCount > 0 else { return }
    let isPretty = encoder.outputFormatting.contains(.prettyPrinted)
    stream.write(isFirstRow ? "[]\n" : isPretty ? "\n]\n" : "]\n")
  }

  private func json(_ value: DatabaseValue) throws -> String {
    switch value.storage {
    case .null: "null"
    case .int64(let int64): int64.description
    case .double(let double): try json(double)
    case .string(let string): try json(string)
    case .blob(let data): try json(data)
    }
  }

  /// A value on its own.
  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

extension DumpFormat where Self == JSONDumpFormat {
  /// See ``JSONDumpFormat``.
  public static func json(encoder: JSONEncoder = JSONDumpFormat.defaultEncoder) -> Self {
    JSONDumpFormat(encoder: encoder)
  }
}
