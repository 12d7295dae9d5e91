import Quarry

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file beside a database in which processes leave messages of their commits.
///
/// A message has its place by the frame where it starts, so that it is found by the end of the
/// commit before. There are no locks: two processes that write to one place at the same time, and
/// one that is killed while it writes, leave bytes that are no message, which is as if there were
/// none.
package final class SignalFile: Sendable {
  package static let suffix = "-signals"
  private static let placeCount: UInt32 = 1024
  private let descriptor: CInt

  /// Opens the file of a database, or makes it.
  ///
  /// - throws: `DatabaseError`.
  package init(database path: String) throws {
    let name = path + Self.suffix
    var status = stat()
    // Whoever may write to the database may write messages.
    let mode = unsafe stat(path, &status) == 0 ? status.st_mode & 0o666 : 0o644
    descriptor = unsafe open(name, O_RDWR | O_CREAT | O_CLOEXEC, mode)
    guard descriptor >= 0 else {
      throw DatabaseError(
        resultCode: .SQLITE_CANTOPEN,
        message: "the file of signals can't be opened: \(unsafe String(cString: strerror(errno))) "
          + "- \(name). Without namingTables, none is needed")
    }
  }

  deinit { close(descriptor) }

  /// Leaves a message.
  package func post(_ message: CommitMessage) {
    write(message.bytes, at: Self.place(of: message.start))
    write(message.end.signedBytes, at: Self.endOfPlaces)
  }

  /// The message of the commit that starts at a position.
  package func message(from start: LogPosition) -> CommitMessage? {
    let message = CommitMessage(read(CommitMessage.capacity, at: Self.place(of: start)))
    return message?.start == start ? message : nil
  }

  /// The end of a commit of which there was a message not long ago.
  package var recentEnd: LogPosition? { LogPosition(signedBytes: read(28, at: Self.endOfPlaces)) }

  /// The messages of one commit after another.
  package func messages(from start: LogPosition) -> [CommitMessage] {
    var messages: [CommitMessage] = []
    while messages.count < Self.placeCount, let next = message(from: messages.last?.end ?? start) {
      messages.append(next)
    }
    return messages
  }

  private static let endOfPlaces = Int(placeCount) * CommitMessage.capacity

  private static func place(of start: LogPosition) -> Int {
    Int(start.frame % placeCount) * CommitMessage.capacity
  }

  private func write(_ bytes: [UInt8], at offset: Int) {
    // A full disk leaves no message, or a part of one.
    _ = unsafe bytes.withUnsafeBytes { buffer in
      unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }
  }

  private func read(_ count: Int, at offset: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = unsafe max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
    }
  }
}
