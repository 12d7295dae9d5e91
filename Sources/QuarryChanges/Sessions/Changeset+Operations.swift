import CSQLite
import Quarry

extension Changeset {
  /// The changeset that undoes this one: insertions become deletions, updates go back.
  ///
  /// See <https://www.sqlite.org/session/sqlite3changeset_invert.html>.
  ///
  /// - throws: ``ChangesetError`` for a patchset, which has no old values.
  public func inverted() throws -> Changeset {
    try Session.checkAvailability()
    guard !isPatchset else {
      throw ChangesetError(
        .patchset, "a patchset has no old values to go back to: record a changeset")
    }
    if isEmpty { return self }
    return try unsafe withBytes { count, bytes in
      try unsafe Self.result(isPatchset: false) { resultCount, result in
        unsafe quarry_changeset_invert(count, bytes, &resultCount, &result)
      }
    }
  }

  /// The changes of this changeset, and then those of another one, as one: a row that both change
  /// is changed once.
  ///
  /// See <https://www.sqlite.org/session/sqlite3changegroup_add.html>.
  ///
  /// - throws: ``ChangesetError`` for a changeset and a patchset, and for tables whose columns
  ///   differ.
  public func combined(with other: Changeset) throws -> Changeset {
    try Self.combining([self, other])
  }

  /// The changes of several changesets, in their order, as one.
  ///
  /// - throws: See ``combined(with:)``.
  public static func combining(_ changesets: some Sequence<Changeset>) throws -> Changeset {
    try Session.checkAvailability()
    let changesets = changesets.filter { !$0.isEmpty }
    guard let first = changesets.first else { return Changeset() }
    if changesets.count == 1 { return first }
    guard changesets.allSatisfy({ $0.isPatchset == first.isPatchset }) else {
      throw ChangesetError(
        .patchset, "a changeset and a patchset can't be combined: one of them lacks old values")
    }
    try checkFit(changesets.flatMap { $0.readTables() })
    var group: OpaquePointer?
    try check(unsafe quarry_changegroup_new(&group))
    defer { unsafe quarry_changegroup_delete(group) }
    for changeset in changesets {
      try unsafe changeset.withBytes { count, bytes in
        try check(unsafe quarry_changegroup_add(group, count, bytes))
      }
    }
    return try unsafe result(isPatchset: first.isPatchset) { count, bytes in
      unsafe quarry_changegroup_output(group, &count, &bytes)
    }
  }

  /// Throws for a table that has other columns, or another key, in another place.
  private static func checkFit(_ tables: [ChangesetTable]) throws {
    var known: [String: ChangesetTable] = [:]
    for table in tables {
      let former = known.updateValue(table, forKey: table.name.lowercasedASCII)
      guard let former, former.keyPositions != table.keyPositions else { continue }
      throw ChangesetError(
        .schema,
        "the changesets have other columns of \(table.name): \(former.columnCount) and "
          + "\(table.columnCount), or other keys. They were recorded before and after a migration",
        table: table.name)
    }
  }

  /// The changeset, changed for a database where conflicts have been resolved: the peer applies it
  /// with the same result, but for updates that were left out. The peer has made them, and keeps
  /// them in the columns that this changeset does not change.
  ///
  /// ```swift
  /// // The changes of the other side come first.
  /// let rebase = try theirs.applyNotingConflicts(to: db) { _ in .omit }
  /// let changeset = try mine.rebased(on: [rebase])
  /// ```
  ///
  /// See <https://www.sqlite.org/session/rebaser.html>.
  ///
  /// - parameter rebases: What the applications have returned, in their order.
  /// - throws: ``ChangesetError`` for a patchset, and for tables whose columns differ.
  public func rebased(on rebases: [ChangesetRebase]) throws -> Changeset {
    try Session.checkAvailability()
    guard !isPatchset else {
      throw ChangesetError(.patchset, "a patchset can't be rebased: record a changeset")
    }
    if isEmpty { return self }
    // SQLite would read the values of columns that a rebase does not have.
    try Self.checkFit(readTables() + rebases.flatMap { try $0.tables() })
    var rebaser: OpaquePointer?
    try Self.check(unsafe quarry_rebaser_create(&rebaser))
    defer { unsafe quarry_rebaser_delete(rebaser) }
    for rebase in rebases where !rebase.bytes.isEmpty {
      try unsafe rebase.bytes.withUnsafeBytes { buffer in
        try Self.check(
          unsafe quarry_rebaser_configure(rebaser, CInt(buffer.count), buffer.baseAddress))
      }
    }
    let rebased = try unsafe withBytes { count, bytes in
      try unsafe Self.result(isPatchset: false) { resultCount, result in
        unsafe quarry_rebaser_rebase(rebaser, count, bytes, &resultCount, &result)
      }
    }
    return try Changeset(bytes: rebased.bytesWithoutNewKeys())
  }

  /// The bytes of SQLite's rebaser, which makes an update of an insertion, and leaves the key in
  /// its new record. One that has nothing else there is left out.
  private func bytesWithoutNewKeys() throws -> [UInt8] {
    var reader = ChangesetReader(bytes, isRebase: true)
    var result: [UInt8] = []
    var header: Range<Int>?
    while let change = try reader.next(), let table = reader.table {
      let setsColumns = (change.new ?? []).indices.contains { column in
        table.keyPositions[column] == 0 && change.new?[column] != nil
      }
      if change.kind == .update, !setsColumns { continue }
      if header != table.header { result += bytes[table.header] }
      header = table.header
      var start = change.range.lowerBound
      for column in table.keyColumns where change.kind == .update {
        guard let key = change.new?[column] else { continue }
        result += bytes[start..<key.lowerBound]
        result.append(0)
        start = key.upperBound
      }
      result += bytes[start..<change.range.upperBound]
    }
    return result
  }

  private static func result(
    isPatchset: Bool, _ body: (inout CInt, inout UnsafeMutableRawPointer?) -> CInt
  ) throws -> Changeset {
    var count: CInt = 0
    var bytes: UnsafeMutableRawPointer?
    let code = unsafe body(&count, &bytes)
    defer { unsafe sqlite3_free(bytes) }
    try check(code)
    return unsafe Changeset(bytes, count, isPatchset: isPatchset)
  }

  private static func check(_ code: CInt) throws {
    guard code != SQLITE_OK else { return }
    throw DatabaseError(resultCode: ResultCode(rawValue: code))
  }
}

/// How conflicts were resolved when a changeset was applied: see ``Changeset/rebased(on:)``.
public struct ChangesetRebase: Hashable, Sendable {
  let bytes: [UInt8]

  /// Whether there was no conflict.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The tables with conflicts.
  fileprivate func tables() throws -> [ChangesetTable] {
    var reader = ChangesetReader(bytes, isRebase: true)
    return try reader.tables()
  }
}
