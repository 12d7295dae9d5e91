import Quarry

// SQLite's sessions report no conflict that a table resolves by itself: a clause such as `UNIQUE ON
// CONFLICT IGNORE` leaves the written row out, `REPLACE` removes the row that is in the way. Both
// show in the number of rows.

/// The changed tables that resolve conflicts by themselves, and how many rows each must have
/// afterwards.
struct ResolvingTables {
  /// By the names in lowercase.
  private var counts: [String: (name: String, count: Int)] = [:]

  init(_ db: Database, _ targets: [ChangedTable]) throws {
    for target in targets {
      let name = target.table.name
      guard try db.constraintsResolveConflicts(of: name, in: "main") else { continue }
      let key = name.lowercasedASCII
      let count = try counts[key]?.count ?? db.rowCount(of: name)
      counts[key] = (name, count + target.addedCount)
    }
  }

  var isEmpty: Bool { counts.isEmpty }

  /// Notes how a reported conflict is resolved: an insertion is left out, or has another row's
  /// place, and a deletion may be left out.
  ///
  /// - throws: The error of a missing row, which an earlier change may have removed.
  mutating func note(
    _ conflict: ChangesetConflict, _ resolution: ChangesetConflict.Resolution
  ) throws {
    guard let change = conflict.change else { return }
    if resolution == .abort, conflict.kind == .notFound, counts[change.table.lowercasedASCII] != nil
    {
      throw ChangesetError(
        .conflict,
        "nothing of the changeset is applied: \(conflict). The ON CONFLICT clause of the table may "
          + "have left it out, or removed it for another row of the changeset: declare ON CONFLICT "
          + "ABORT. Else the database has been changed otherwise since: resolve conflicts in "
          + "`onConflict`", table: change.table, conflict: conflict)
    }
    switch (change.kind, resolution) {
    case (.insert, _): counts[change.table.lowercasedASCII]?.count -= 1
    case (.delete, .omit): counts[change.table.lowercasedASCII]?.count += 1
    default: break
    }
  }

  /// Throws where triggers or foreign key actions run that change one of the tables, too.
  ///
  /// - parameter others: What they change, in lowercase.
  func checkAreCounted(besides others: Set<String>) throws {
    guard let name = counts.filter({ others.contains($0.key) }).values.map(\.name).min() else {
      return
    }
    throw ChangesetError(
      .trigger,
      "the changeset can't be applied with `runsTriggers`: triggers or foreign key actions change table "
        + "\(name), which resolves conflicts by ON CONFLICT, so that lost rows would not be noticed. "
        + "Declare ON CONFLICT ABORT, or leave the table out with `filtered`", table: name)
  }

  /// Throws where a conflict was not reported.
  ///
  /// - parameter triggered: The tables whose triggers run, in lowercase.
  func check(_ db: Database, _ triggered: Set<String>) throws {
    for (name, expected) in counts.values.sorted(by: { $0.name < $1.name }) {
      let count = try db.rowCount(of: name)
      if count == expected { continue }
      let cause =
        triggered.contains(name.lowercasedASCII)
        ? "A trigger of the table, or its ON CONFLICT clause, leaves a row out, or removes one. Use "
          + "RAISE(ABORT, …) and ON CONFLICT ABORT"
        : "A row violates a constraint, and the ON CONFLICT clause of the table leaves it out, or "
          + "removes the row that is in the way. Declare ON CONFLICT ABORT"
      throw ChangesetError(
        .conflict,
        "nothing of the changeset is applied: table \(name) would have \(count) rows, not "
          + "\(expected). \(cause), and resolve conflicts in `onConflict`", table: name)
    }
  }
}

extension Database {
  fileprivate func rowCount(of table: String) throws -> Int {
    try Int.fetchOne(self, sql: "SELECT count(*) FROM main.\(table.quotedDatabaseIdentifier)") ?? 0
  }
}
