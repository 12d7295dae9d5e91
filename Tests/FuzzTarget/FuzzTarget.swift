import Foundation
import Quarry

/// A part of the library that takes texts, bytes or files of others.
struct FuzzTarget: Sendable {
  let name: String
  var maximumSize = 400
  /// Inputs that are made, beside those of the corpus.
  var seeds: @Sendable () throws -> [[UInt8]] = { [] }
  let body: @Sendable ([UInt8]) throws -> Void

  static let all: [FuzzTarget] = [
    .sql, .arguments, .files, .patterns, .schemas, .json, .dates, .decimals, .csv, .dumps,
    .commands,
  ]

  /// Tries an input, which may be refused by an error of the library.
  func attempt(_ bytes: [UInt8]) {
    tolerate { try body(bytes) }
  }
}

/// An error of the library is a right answer, which can be described.
func tolerate(_ body: () throws -> Void) {
  do {
    try body()
  } catch let error
    where error is DatabaseError || error is InvalidRequest
    || error is RowDecodingError
  {
    _ = "\(error)"
  } catch {
    wrong("an error of another type: \(error)")
  }
}

/// Ends the process because of a wrong answer.
func wrong(_ text: String) -> Never { fatalError(text) }

/// Bytes that are read from their start.
struct Input {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  mutating func take(_ count: Int) -> [UInt8] {
    let result = Array(bytes.prefix(count))
    bytes = bytes.dropFirst(count)
    return result
  }

  mutating func value() -> DatabaseValue {
    switch byte() % 6 {
    case 0: return .null
    case 1: return Int64(bitPattern: number(8)).databaseValue
    case 2: return Int64(Int8(bitPattern: byte())).databaseValue
    case 3: return Double(bitPattern: number(8)).databaseValue
    case 4: return Data(take(Int(byte() % 24))).databaseValue
    default: return String(decoding: take(Int(byte() % 24)), as: UTF8.self).databaseValue
    }
  }

  private mutating func number(_ count: Int) -> UInt64 {
    take(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Values until the end, but not too many.
  mutating func values(atMost limit: Int) -> [DatabaseValue] {
    var values: [DatabaseValue] = []
    while !isEmpty, values.count < limit { values.append(value()) }
    return values
  }
}

/// Whether two values have the same storage: texts by their bytes.
func isSame(_ left: DatabaseValue, _ right: DatabaseValue) -> Bool {
  switch (left.storage, right.storage) {
  case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
  case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
  case (.int64(let left), .int64(let right)): left == right
  case (.blob(let left), .blob(let right)): left == right
  case (.null, .null): true
  default: false
  }
}

func isSame(_ left: [DatabaseValue], _ right: [DatabaseValue]) -> Bool {
  left.count == right.count && zip(left, right).allSatisfy(isSame)
}
