import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Messages of commits") struct CommitMessageTests {
  private func message(
    _ start: UInt32, _ end: UInt32, _ tables: Set<String>?, salts: UInt64 = 7
  ) -> CommitMessage {
    CommitMessage(
      start: LogPosition(salts: salts, checksum: 11, frame: start),
      end: LogPosition(salts: salts, checksum: 12, frame: end), author: 99, tables: tables)
  }

  @Test(arguments: [nil, [], ["book"], ["author", "book", "é \u{1F4D6}", ""]] as [Set<String>?])
  func `a message is read as it was written, whatever comes after`(tables: Set<String>?) {
    let message = message(3, 5, tables)
    #expect(CommitMessage(message.bytes) == message)
    #expect(CommitMessage(message.bytes + [1, 2, 3]) == message)
  }

  @Test func `names without a place are all tables`() {
    let many = Set((0..<100).map { "table\($0)" })
    #expect(CommitMessage(message(3, 5, many).bytes) == message(3, 5, nil))
    let long = String(repeating: "x", count: 256)
    #expect(CommitMessage(message(3, 5, [long]).bytes) == message(3, 5, nil))
    // 60 bytes, the length, and 255 bytes.
    let longest = String(repeating: "x", count: 255)
    #expect(message(3, 5, [longest]).bytes.count == 316)
    #expect(CommitMessage(message(3, 5, [longest]).bytes) == message(3, 5, [longest]))
  }

  @Test func `bytes that are cut off or changed are no message`() {
    let bytes = message(3, 5, ["author", "book"]).bytes
    for count in 0..<bytes.count { #expect(CommitMessage(Array(bytes.prefix(count))) == nil) }
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        #expect(CommitMessage(changed) == nil, "byte \(index), bit \(bit)")
      }
    }
    #expect(CommitMessage([UInt8](repeating: 0, count: 512)) == nil)
    #expect(CommitMessage([UInt8](repeating: 255, count: 512)) == nil)
  }

  @Test func `a position is read as it was written, and nothing else is`() {
    let position = LogPosition(salts: .max, checksum: 5, frame: 17)
    let bytes = position.signedBytes
    #expect(LogPosition(signedBytes: bytes) == position)
    for index in bytes.indices {
      var changed = bytes
      changed[index] &+= 1
      #expect(LogPosition(signedBytes: changed) == nil)
      #expect(LogPosition(signedBytes: Array(bytes.prefix(index))) == nil)
    }
  }

  @Test func `random bytes are no message`() {
    var random = RandomRun("messages").generator
    for _ in 0..<5000 {
      let count = Int.random(in: 0...600, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(CommitMessage(bytes) == nil)
    }
  }

  @Test func `a process that is killed while it writes leaves no false message`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let file = try SignalFile(database: path)
      let handle = try #require(FileHandle(forUpdatingAtPath: path + "-signals"))
      // Both have the same place: frames 3 and 1027.
      let (old, new) = (message(3, 5, ["author", "book"]), message(1027, 1030, ["loan"]))
      for count in 0...new.bytes.count {
        file.post(old)
        try handle.seek(toOffset: 3 * 512)
        handle.write(Data(new.bytes.prefix(count)))
        let isWhole = count == new.bytes.count
        #expect(file.message(from: new.start) == (isWhole ? new : nil), "\(count) bytes")
        #expect(file.message(from: old.start) == (count == 0 ? old : nil), "\(count) bytes")
      }
    }
  }

  @Test func `messages are followed from commit to commit`() throws {
    try withTemporaryDirectory { directory in
      let file = try SignalFile(database: directory + "/library.sqlite")
      #expect(file.recentEnd == nil)
      #expect(file.lastEnd == nil)
      func position(_ number: Int) -> LogPosition {
        LogPosition(salts: 7, checksum: UInt64(number), frame: UInt32(number))
      }
      let messages: [CommitMessage] = (0..<1500).map { (number: Int) -> CommitMessage in
        let (start, end) = (position(number), position(number + 1))
        return CommitMessage(start: start, end: end, author: 1, tables: ["t\(number)"])
      }
      for message in messages.prefix(3) { file.post(message) }
      #expect(file.messages(from: messages[0].start) == Array(messages.prefix(3)))
      #expect(file.messages(from: messages[2].end) == [])
      // The same frame, of another log, or with other frames before.
      let others = [
        LogPosition(salts: 8, checksum: 0, frame: 0), LogPosition(salts: 7, checksum: 1, frame: 0),
      ]
      for other in others { #expect(file.messages(from: other) == []) }
      for message in messages.dropFirst(3) { file.post(message) }
      #expect(file.messages(from: messages[0].start) == [], "overwritten")
      #expect(file.messages(from: messages[476].start).count == 1024)
      #expect(file.lastEnd == messages[1499].end)
    }
  }

  @Test func `what can't be opened is an error`() throws {
    try withTemporaryDirectory { directory in
      try FileManager.default.createDirectory(
        atPath: directory + "/a.sqlite-signals", withIntermediateDirectories: false)
      for path in [directory + "/a.sqlite", directory + "/missing/a.sqlite"] {
        let error = databaseError { try SignalFile(database: path) }
        #expect(error?.resultCode == .SQLITE_CANTOPEN)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("the file of signals can't be opened: "))
        #expect(message.hasSuffix(" - \(path)-signals. Without namingTables, none is needed"))
      }
    }
  }
}
