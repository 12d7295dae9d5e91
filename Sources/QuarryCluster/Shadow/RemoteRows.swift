import CSQLite
import Quarry

/// The rows of a statement at a node, for a cursor of the shadow.
final class RemoteRows {
  private var result: NodeResult?
  private var row: [WireValue] = []
  private(set) var isAtEnd = true
  private(set) var number: Int64 = 0

  func begin(_ result: NodeResult, _ engine: ClusterEngine) throws {
    self.result = result
    number = 0
    try move(engine)
  }

  func move(_ engine: ClusterEngine) throws {
    guard let result else { return }
    number += 1
    if try result.nextReceived(&row) {
      isAtEnd = false
    } else {
      isAtEnd = try !engine.connection.receive { _ in try result.next(&row) }
    }
  }

  func close() {
    result?.close()
    result = nil
  }

  func show(_ column: Int, _ context: OpaquePointer?) throws {
    guard let result, row.indices.contains(column) else { return }
    switch row[column] {
    case .null: unsafe sqlite3_result_null(context)
    case .integer(let number): unsafe sqlite3_result_int64(context, number)
    case .double(let number): unsafe sqlite3_result_double(context, number)
    case .text(let range): unsafe show(range, result, context)
    case .dateText(let range) where !range.isEmpty: unsafe show(range, result, context)
    case .blob(let range):
      unsafe result.bytes.withUnsafeBytes { buffer in
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[range])
        unsafe quarry_result_blob_copy(context, bytes.baseAddress, UInt64(bytes.count))
      }
    case .dateText, .boolean:
      throw ClusterError(
        .unsupported,
        "column \(result.columnNames[column].debugDescription) is declared as a date or a BOOLEAN since "
          + "a moment ago: a node can't send its NULL")
    }
  }
  private func show(_ text: Range<Int>, _ result: NodeResult, _ context: OpaquePointer?) {
    unsafe result.bytes.withUnsafeBytes { buffer in
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[text])
      unsafe quarry_result_text_copy(
        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count))
    }
  }
}
