import Quarry

/// A value of a row. Texts and blobs are ranges of the bytes of the ``RowBatch``.
enum WireValue: Equatable {
  case null
  case integer(Int64)
  case double(Double)
  case text(Range<Int>)
  case blob(Range<Int>)
  /// A value of a column that is declared as DATE, DATETIME or TIMESTAMP: an empty text stands for
  /// NULL, too.
  case dateText(Range<Int>)
  /// An integer of a column that is declared as BOOLEAN: NULL is 0, all other numbers are 1.
  case boolean(Bool)

  /// The numbers of the types. The last three depend on the declared type of the column.
  enum TypeCode: UInt8 {
    case integer = 1
    case double = 2
    case text = 3
    case blob = 4
    case null = 5
    case unixTime = 9
    case dateText = 10
    case boolean = 11
  }

  init(_ type: TypeCode, _ reader: inout WireReader) throws(WireError) {
    self =
      switch type {
      case .integer, .unixTime: .integer(Int64(bitPattern: try reader.word()))
      case .double: .double(Double(bitPattern: try reader.word()))
      case .text: .text(try reader.textRange())
      case .dateText: .dateText(try reader.textRange())
      case .blob: .blob(try reader.blobRange())
      case .boolean: .boolean(try reader.word() != 0)
      case .null: try Self.null(&reader)
      }
  }

  private static func null(_ reader: inout WireReader) throws(WireError) -> Self {
    _ = try reader.word()
    return .null
  }
}

extension WireWriter {
  /// Appends arguments: how many there are, their types, their values. Nothing for none.
  mutating func append(_ arguments: [DatabaseValue]) {
    guard !arguments.isEmpty else { return }
    append(UInt32(arguments.count))
    for argument in arguments { append(byte: argument.typeCode.rawValue) }
    pad()
    for argument in arguments { append(argument) }
  }

  private mutating func append(_ value: DatabaseValue) {
    switch value.storage {
    case .null: append(UInt64(0))
    case .int64(let number): append(UInt64(bitPattern: number))
    case .double(let number): append(number.bitPattern)
    case .string(let text): append(text)
    case .blob(let data): append(blob: data)
    }
  }
}

extension DatabaseValue {
  fileprivate var typeCode: WireValue.TypeCode {
    switch storage {
    case .null: .null
    case .int64: .integer
    case .double: .double
    case .string: .text
    case .blob: .blob
    }
  }
}
