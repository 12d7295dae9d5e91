import Quarry

/// The application of changes, which are read twice: for the tables and all checks, and for SQLite.
struct ChangesetApplication {
  /// Returns a reader at the beginning of the changes.
  let read: () throws -> ChangesetReader

  func apply(
    to db: Database, runsTriggers: Bool,
    onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution
  ) throws -> ChangesetRebase {
    try Session.checkAvailability()
    let (targets, digest) = try targets(in: db)
    var rebase = ChangesetRebase(bytes: [])
    if targets.isEmpty { return rebase }
    try db.inSavepoint {
      let mode = try TriggerMode(db, targets, runsTriggers: runsTriggers)
      let input = try ChangesetInput(read())
      rebase = try mode.applying(db, onConflict) {
        try db.apply(input, onConflict) { try targets.flatMap { try $0.announcements(db) } }
      }
      guard input.digest == digest else { throw Self.changedFile }
      return .commit
    }
    return rebase
  }

  /// The tables that are changed, which are those of the database, and the digest of all bytes.
  private func targets(in db: Database) throws -> ([ChangedTable], digest: Int) {
    var reader = try read()
    var targets: [ChangedTable] = []
    while let change = try reader.next(), let table = reader.table {
      if targets.last?.table.header != table.header { targets.append(ChangedTable(table)) }
      targets[targets.count - 1].add(change)
    }
    for target in targets { try target.table.check(db) }
    return (targets, reader.digest)
  }

  private static var changedFile: ChangesetError {
    ChangesetError(
      .malformed,
      "nothing of the changeset is applied: its file was changed meanwhile. Write a file under another "
        + "name, and rename it when it is complete")
  }
}

/// Gives SQLite the bytes of changes that are checked.
final class ChangesetInput {
  private var reader: ChangesetReader
  private var rest: ArraySlice<UInt8> = []
  private(set) var error: (any Error)?

  init(_ reader: ChangesetReader) { self.reader = reader }

  var digest: Int { reader.digest }

  /// Fills a buffer with the bytes that come next. Returns how many, 0 at the end, and nil for an
  /// error.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    do {
      var count = 0
      while count < buffer.count {
        if rest.isEmpty { rest = try nextBytes() }
        if rest.isEmpty { break }
        let part = rest.prefix(buffer.count - count)
        unsafe buffer[count...].copyBytes(from: part)
        rest = rest.dropFirst(part.count)
        count += part.count
      }
      return count
    } catch {
      self.error = error
      return nil
    }
  }

  private func nextBytes() throws -> ArraySlice<UInt8> {
    // The reader must be the only owner of its bytes.
    rest = []
    return try reader.nextBytes()
  }
}
