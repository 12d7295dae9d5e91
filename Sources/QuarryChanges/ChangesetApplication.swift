import Quarry

/// The application of changes, which are read twice: for the tables and all checks, and for SQLite,
/// once more where deletions come first, and where SQLite may miss rows without parents.
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
      rebase = try mode.apply(input, to: db, read, onConflict)
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
/// Where a row may be in the way of another one without a report, the deletions of a table come
/// before its other changes. SQLite tries a change that violates a constraint once more after the
/// others, but not one that a clause `ON CONFLICT` resolves, or an insertion whose key a row has
/// that is deleted later. The tables keep their order, which foreign keys may need.
final class ChangesetInput {
  private var reader: ChangesetReader
  /// The deletions, and the other changes. None where the changes keep their order.
  private var parts: [ChangesetPart] = []
  private var rest: ArraySlice<UInt8> = []
  private(set) var error: (any Error)?
  /// The table whose changes are given, in parts.
  private var table: ChangesetTable?
  private var needsHeader = true

  init(_ read: () throws -> ChangesetReader, deletesFirst: Bool) throws {
    reader = try read()
    guard deletesFirst else { return }
    parts = try [
      ChangesetPart(reader, areDeletions: true), ChangesetPart(read(), areDeletions: false),
    ]
    table = parts[0].table
  }

  /// Whether the bytes that were read are those with a digest.
  func hasDigest(_ digest: Int) -> Bool {
    parts.isEmpty ? reader.digest == digest : parts.allSatisfy { $0.digest == digest }
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
    if parts.isEmpty { return try reader.nextBytes() }
    while let table {
      for index in parts.indices {
        guard let bytes = try parts[index].nextBytes(of: table) else { continue }
        defer { needsHeader = false }
        return (needsHeader ? table.headerBytes + bytes : bytes)[...]
      }
      self.table = parts[0].table
      needsHeader = true
    }
    return []
  }
}

/// The deletions of a changeset, or its other changes.
private struct ChangesetPart {
  private var reader: ChangesetReader
  private let areDeletions: Bool
  /// The change that comes next, of either part.
  private var change: ChangesetReader.RawChange?

  init(_ reader: ChangesetReader, areDeletions: Bool) throws {
    self.reader = reader
    self.areDeletions = areDeletions
    change = try self.reader.next()
  }

  var digest: Int { reader.digest }

  /// The table of the change that comes next.
  var table: ChangesetTable? { change == nil ? nil : reader.table }

  /// The bytes of the next change of a table, nil after its last one.
  mutating func nextBytes(of table: ChangesetTable) throws -> [UInt8]? {
    while let change, self.table?.header == table.header {
      let isWanted = (change.kind == .delete) == areDeletions
      let bytes = isWanted ? Array(reader.bytes(of: change)) : []
      self.change = try reader.next()
      if isWanted { return bytes }
    }
    return nil
  }
}

extension ChangesetTable {
  fileprivate var headerBytes: [UInt8] {
    ChangesetWriter.header(name, keyPositions, isPatchset: isPatchset)
  }
}
