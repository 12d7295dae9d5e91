import Quarry

/// The application of changes, which are read twice: for the tables and all checks, and for SQLite,
/// once more where deletions come first.
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
      let input = try ChangesetInput(read, deletesFirst: mode.deletesFirst)
      rebase = try mode.apply(input, to: db, onConflict)
      guard input.hasDigest(digest) else { throw Self.changedFile }
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
///
/// Where a row may be in the way of another one without a report, deletions come first. SQLite
/// tries a change that violates a constraint once more after the others, but not one that a clause
/// `ON CONFLICT` resolves, or an insertion whose key a row has that is deleted later.
final class ChangesetInput {
  private let read: () throws -> ChangesetReader
  private var reader: ChangesetReader
  private var rest: ArraySlice<UInt8> = []
  private(set) var error: (any Error)?
  /// Whether only deletions are given, or only other changes. Nil where they keep their order.
  private var areDeletions: Bool?
  /// The table of the bytes that SQLite has.
  private var header: Range<Int>?
  /// The digest of the bytes from which the deletions were read.
  private var deletionDigest: Int?

  init(_ read: @escaping () throws -> ChangesetReader, deletesFirst: Bool) throws {
    self.read = read
    reader = try read()
    areDeletions = deletesFirst ? true : nil
  }

  /// Whether the bytes that were read are those with a digest.
  func hasDigest(_ digest: Int) -> Bool {
    reader.digest == digest && (deletionDigest ?? digest) == digest
  }

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
    guard let areDeletions else { return try reader.nextBytes() }
    while let change = try reader.next(), let table = reader.table {
      guard (change.kind == .delete) == areDeletions else { continue }
      let isSameTable = header == table.header
      header = table.header
      let start =
        isSameTable
        ? [] : ChangesetWriter.header(table.name, table.keyPositions, isPatchset: table.isPatchset)
      return (start + reader.bytes(of: change))[...]
    }
    guard areDeletions else { return [] }
    self.areDeletions = false
    deletionDigest = reader.digest
    reader = try read()
    return try nextBytes()
  }
}
