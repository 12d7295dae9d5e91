import CSQLiteBench

@inline(__always)
func integer(_ statement: OpaquePointer, _ index: CInt) -> Int64 {
  sqlite3_column_int64(statement, index)
}

@inline(__always)
func double(_ statement: OpaquePointer, _ index: CInt) -> Double {
  sqlite3_column_double(statement, index)
}

@inline(__always)
func text(_ statement: OpaquePointer, _ index: CInt) -> String {
  optionalText(statement, index) ?? ""
}

/// SQLite returns no text for NULL.
@inline(__always)
func optionalText(_ statement: OpaquePointer, _ index: CInt) -> String? {
  guard let start = sqlite3_column_text(statement, index) else { return nil }
  let count = Int(sqlite3_column_bytes(statement, index))
  return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
}

@inline(__always)
func optionalInteger(_ statement: OpaquePointer, _ index: CInt) -> Int64? {
  sqlite3_column_type(statement, index) == SQLITE_NULL ? nil : integer(statement, index)
}

/// Whether SQLite copies the texts that the loops by hand bind (`--copies`). Set before the first
/// line runs.
nonisolated(unsafe) public var copiesTexts = false

/// Runs `body` while `text` is bound to a parameter: in place, unless `copiesTexts`.
@inline(__always)
func withBound<Result>(
  _ text: String, to statement: OpaquePointer, at index: CInt, _ body: () throws -> Result
) rethrows -> Result {
  var text = text
  return try text.withUTF8 { bytes in
    if copiesTexts {
      bench_bind_text_copy(statement, index, bytes.baseAddress, UInt64(bytes.count))
    } else {
      bench_bind_text(statement, index, bytes.baseAddress, UInt64(bytes.count))
    }
    return try body()
  }
}
