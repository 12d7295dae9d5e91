import Foundation
import Quarry
import Testing

@testable import QuarryCluster

/// Texts, as bytes: "a 1 2" for letters, and numbers of bytes.
private func bytes(_ items: Any...) -> [UInt8] {
  items.flatMap { item in
    (item as? String).map { Array($0.utf8) } ?? (item as? Int).map {
      [UInt8(truncatingIfNeeded: $0)]
    } ?? []
  }
}

private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
private func word(_ number: UInt8) -> [UInt8] { [number] + zeros(7) }
private let last = [UInt8](repeating: 0xFF, count: 8)
private let followed = [UInt8](repeating: 0xEE, count: 8)

@Suite("Messages of the protocol of dqlite")
struct WireTests {
  @Test func `a request has a header of one word, with the length of its body in words`() {
    #expect(WireRequest.leader.bytes == word(1) + word(0))
    #expect(WireRequest.members.bytes == [1, 0, 0, 0, 16, 0, 0, 0] + word(1))
    #expect(
      WireRequest.remove(0x1234).bytes == [1, 0, 0, 0, 14, 0, 0, 0, 0x34, 0x12] + zeros(6))
  }

  @Test func `texts end with NUL, and fill words`() {
    #expect(
      WireRequest.open("library").bytes
        == [3, 0, 0, 0, 3, 0, 0, 0] + bytes("library", 0) + word(0) + word(0))
    #expect(
      WireRequest.prepare("SELECT 12", in: 1).bytes
        == [3, 0, 0, 0, 4, 1, 0, 0] + word(1) + bytes("SELECT 12") + zeros(7))
  }

  @Test func `a statement without arguments has a body of one word`() {
    let statement = NodeStatement(database: 0, id: 7)
    #expect(
      WireRequest.execute(statement, []).bytes
        == [1, 0, 0, 0, 5, 1, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0])
  }

  @Test func `arguments are their number, their types, and their values`() {
    let arguments: [DatabaseValue] = [
      (-2).databaseValue, 1.5.databaseValue, "é".databaseValue, .null,
      Data([1, 2, 3]).databaseValue,
    ]
    let values: [UInt8] =
      [0xFE] + [UInt8](repeating: 0xFF, count: 7) + zeros(6) + [0xF8, 0x3F]
      + [0xC3, 0xA9] + zeros(6) + zeros(8) + word(3) + [1, 2, 3] + zeros(5)
    #expect(
      WireRequest.query(NodeStatement(database: 0, id: 1), arguments).bytes
        == [9, 0, 0, 0, 6, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
        + [5, 0, 0, 0, 1, 2, 3, 5, 4] + zeros(7) + values)
  }

  @Test func `rows have types of four bits`() throws {
    let body =
      word(3) + bytes("id") + zeros(6) + bytes("name") + zeros(4) + bytes("x") + zeros(7)
      + [0x31, 0x05] + zeros(6) + word(12) + bytes("Anna") + zeros(4) + zeros(8)
      + [0x41, 0x02] + zeros(6) + word(13) + word(2) + [7, 8] + zeros(6) + zeros(6) + [0xF0, 0x3F]
      + last
    var batch = try RowBatch(WireReader(body))
    #expect(batch.columnNames == ["id", "name", "x"])
    #expect(!batch.isFollowed)
    var row: [WireValue] = []
    #expect(try batch.next(&row))
    #expect(row.count == 3 && row[0] == .integer(12) && row[2] == .null)
    #expect(text(row[1], batch) == "Anna")
    #expect(try batch.next(&row))
    #expect(row[0] == .integer(13) && row[2] == .double(1))
    guard case .blob(let range) = row[1] else {
      Issue.record("a blob is \(row[1])")
      return
    }
    #expect(Array(batch.bytes[range]) == [7, 8])
    #expect(try !batch.next(&row))
    #expect(try !batch.next(&row))
  }

  private func text(_ value: WireValue, _ batch: RowBatch) -> String? {
    guard case .text(let range) = value else { return nil }
    return String(decoding: batch.bytes[range], as: UTF8.self)
  }

  @Test func `declared types have codes of their own`() throws {
    let body =
      word(3) + word(97) + word(98) + word(99) + [0xA9, 0x0B] + zeros(6)
      + word(5) + word(0) + word(1) + followed
    var batch = try RowBatch(WireReader(body))
    #expect(batch.columnNames == ["a", "b", "c"])
    #expect(batch.isFollowed)
    var row: [WireValue] = []
    #expect(try batch.next(&row))
    // A number of columns, three names, the types and a value are before the text.
    #expect(row == [.integer(5), .dateText(48..<48), .boolean(true)])
  }

  @Test func `a failure is read from its end`() throws {
    let plain = word(1) + bytes("no such table: a") + zeros(8)
    #expect(
      try NodeFailure(WireReader(plain)) == NodeFailure(code: 1, message: "no such table: a"))
    // Rows that were encoded before it are in front: 3 rows with one column x, then code and text.
    let late =
      word(1) + bytes("x") + zeros(7) + word(1) + word(5) + word(1) + word(6)
      + word(1) + bytes("integer overflow") + zeros(8)
    #expect(
      try NodeFailure(WireReader(late)) == NodeFailure(code: 1, message: "integer overflow"))
    let leadership = [0x0A, 0x28] + zeros(6) + bytes("not leader") + zeros(6)
    let failure = try NodeFailure(WireReader(leadership))
    #expect(failure.code == 10250 && failure.isLeadershipFailure)
    let empty = word(5) + zeros(8)
    #expect(try NodeFailure(WireReader(empty)) == NodeFailure(code: 5, message: ""))
  }

  @Test(arguments: 0..<200)
  func `no prefix and no damaged byte of an answer ends the process`(_ number: Int) throws {
    let body =
      word(2) + bytes("id") + zeros(6) + bytes("name") + zeros(4)
      + [0x31] + zeros(7) + word(12) + bytes("Anna") + zeros(4) + last
    // Each cut, and then each byte with each of three values.
    var damaged = number < body.count ? Array(body.prefix(number)) : body
    if number >= body.count {
      damaged[number % body.count] = [0, 7, 0xFF][number / body.count % 3]
    }
    do {
      var batch = try RowBatch(WireReader(damaged))
      var row: [WireValue] = []
      while try batch.next(&row) { #expect(row.count == batch.columnNames.count) }
    } catch {
      #expect(!error.reason.isEmpty)
    }
    _ = try? NodeFailure(WireReader(damaged))
    _ = try? WireHeader(damaged)
  }
}
