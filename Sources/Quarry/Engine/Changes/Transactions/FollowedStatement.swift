/// One execution of a statement, or one change that no statement announces, with those who follow
/// it.
final class FollowedStatement {
  /// An observer, and which kinds of the statement it wants.
  struct Follower {
    let registration: ObserverRegistration
    let wantsKind: [Bool]

    /// Asks an observer. Nil if it wants no change.
    init?(_ registration: ObserverRegistration, _ kinds: [DatabaseEventKind]) {
      guard let observer = registration.observer else { return nil }
      self.registration = registration
      if registration.observesAllChanges {
        wantsKind = kinds.map { _ in true }
      } else {
        wantsKind = kinds.map { observer.observes(eventsOfKind: $0) }
        guard wantsKind.contains(true) else { return nil }
      }
    }

    /// Asks for a table that may be the shadow table of a virtual one: FTS5 writes what it has in
    /// memory when any statement begins. A function in C may have changed another one.
    fileprivate func wants(_ table: String) -> Bool {
      guard !registration.observesAllChanges, let observer = registration.observer,
        let separator = table.lastIndex(of: "_")
      else { return true }
      return [table, String(table[..<separator])].contains { name in
        let kinds = [DatabaseEventKind](allOfTable: name, columns: [])
        return kinds.contains(where: observer.observes)
      }
    }
  }

  let kinds: [DatabaseEventKind]
  private let changedTables: Set<BinaryText>
  let followers: [Follower]
  /// The observers of regions that are not touched yet, or that follow rows.
  private var regions: [RegionObserver]
  private let altered: [RegionObserver]
  private let alteredTables: Set<BinaryText>
  /// A function that the statement calls has executed statements that are followed.
  var hasInnerStatements = false

  init(
    kinds: [DatabaseEventKind] = [], changedTables: Set<BinaryText> = [],
    alteredTables: Set<BinaryText> = [], followers: [Follower] = [], regions: [RegionObserver] = []
  ) {
    self.kinds = kinds
    self.changedTables = changedTables
    self.followers = followers
    self.regions = regions
    self.alteredTables = alteredTables
    altered =
      alteredTables.isEmpty
      ? []
      : regions.filter { observer in alteredTables.contains { observer.region.tables?[$0] != nil } }
  }

  /// Followers want the changes of the kinds that they have accepted, and those of the shadow
  /// tables of these kinds. They are asked for tables that the kinds say nothing of.
  func wants(_ changeKind: DatabaseEvent.Kind, _ table: String, _ follower: Follower) -> Bool {
    var isAnnounced = false
    for (index, kind) in kinds.enumerated() where kind.includes(changeKind, of: table) {
      if follower.wantsKind[index] { return true }
      isAnnounced = true
    }
    if isAnnounced { return false }
    guard let owner = kinds.owner(ofTable: table.identifierKey) else {
      return follower.wants(table)
    }
    return kinds.indices.contains { index in
      follower.wantsKind[index] && kinds[index].tableName.identifierKey == owner
    }
  }

  /// True while there are regions to look at.
  var hasRegions: Bool { !regions.isEmpty }

  /// True if a follower may implement `databaseWillChange(with:)`.
  var wantsPreUpdates: Bool { followers.contains { !$0.registration.ignoresPreUpdates } }

  /// Appends the regions that an event touches, once.
  ///
  /// - parameter mayTouchOtherRows: Whether rows may have changed that the event does not name.
  func touchRegions(
    _ event: DatabaseEvent, _ pending: inout PendingChanges, mayTouchOtherRows: Bool
  ) {
    let change = RegionChange(
      event: event, kinds: kinds, tableKey: event.tableName.identifierKey,
      mayTouchOtherRows: mayTouchOtherRows)
    regions.removeAll { observer in
      if observer.isNoted, observer.rows == nil { return true }
      guard change.touches(observer.region) else { return false }
      observer.rows?.note(event, announcedBy: kinds)
      if !observer.isNoted { pending.append(.region(observer)) }
      return observer.rows == nil
    }
  }

  /// The regions with a table that the statement writes to, and whose changes SQLite may report too
  /// late, or not at all.
  ///
  /// The schema is asked before the statement is stepped: afterwards, a statement that reads it
  /// would end the transaction for observers. Where all rows are reported, it is not asked.
  func silentRegions(
    _ unreported: UnreportedRows, _ silences: SilentTables, _ schema: DatabaseSchemaReader
  ) -> [RegionObserver] {
    guard !regions.isEmpty else { return [] }
    if case .all(let mayReplace) = unreported {
      return regions.filter { mayModify($0.region, schema, mayReplace: mayReplace) }
    }
    let changedTables = changedTables.filter { !$0.hasPrefix("sqlite_") }
    // Asked for once, since many may observe a table.
    let silentTables = changedTables.filter { isSilent($0, unreported, silences[$0], schema) }
    return regions.filter { observer in
      guard let tables = observer.region.tables else {
        return unreported == .none ? !silentTables.isEmpty : !changedTables.isEmpty
      }
      return silentTables.contains { tables[$0] != nil }
    }
  }

  /// Nothing is known of the rowids of a table that is gone, or whose schema can't be read.
  private func isSilent(
    _ table: BinaryText, _ unreported: UnreportedRows, _ silence: FullTextSilence?,
    _ schema: DatabaseSchemaReader
  ) -> Bool {
    if unreported == .replaced { return true }
    // Asked for here, since most connections have the hook.
    if unreported == .withoutRowID, (try? schema.areTables(named: table, schema.hasRowID)) != true {
      return true
    }
    switch silence {
    case nil: return false
    case .deletions: return kinds.contains { $0.includes(.delete, of: table.text) }
    case .changes: return true
    }
  }

  /// Whether the statement may change rows of a region, as far as its text and the schema say so.
  private func mayModify(
    _ region: DatabaseRegion, _ schema: DatabaseSchemaReader, mayReplace: Bool
  ) -> Bool {
    if kinds.contains(where: { region.isModified(byEventsOfKind: $0) }) { return true }
    return kinds.contains { mayMoveRows(of: region, $0, schema, mayReplace: mayReplace) }
      || mayLoseRows(region)
  }

  /// Whether an update may change more than its columns: a new key moves the row, and `REPLACE`
  /// removes rows that are in the way of a unique index, whose expressions may depend on any
  /// column.
  private func mayMoveRows(
    of region: DatabaseRegion, _ kind: DatabaseEventKind, _ schema: DatabaseSchemaReader,
    mayReplace: Bool
  ) -> Bool {
    guard case .update(let table, let columns) = kind,
      region.tables?[table.identifierKey] != nil
    else { return false }
    guard !mayReplace, let key = try? schema.primaryKeyIfKnown(of: table)?.columns else {
      return true
    }
    let keys = Set((key + ["rowid"]).map(\.identifierKey))
    return columns.contains { keys.contains($0.identifierKey) }
  }

  /// Whether a table of a region may lose rows with one that is dropped, as foreign keys want.
  private func mayLoseRows(_ region: DatabaseRegion) -> Bool {
    guard !alteredTables.isEmpty else { return false }
    return changedTables.subtracting(alteredTables).contains { region.tables?[$0] != nil }
  }

  /// Appends the regions whose tables were altered.
  func touchDefinitions(_ pending: inout PendingChanges) {
    for observer in altered where !observer.isNotified {
      observer.rows?.forget()
      pending.append(.definition(observer))
    }
  }
}

/// The rows whose changes SQLite does not report.
enum UnreportedRows: Equatable {
  /// The preupdate hook reports all.
  case none
  case withoutRowID
  /// Those without rowid, and those that `REPLACE` removes.
  case replaced
  /// An engine reports none. A statement that may replace rows removes others than its own.
  case all(mayReplace: Bool)
}

/// A change of a row, for regions.
struct RegionChange {
  let event: DatabaseEvent
  let kinds: [DatabaseEventKind]
  let tableKey: BinaryText
  let mayTouchOtherRows: Bool

  func touches(_ region: DatabaseRegion) -> Bool {
    // Such as the statistics of `ANALYZE`.
    guard let tables = region.tables else { return !tableKey.hasPrefix("sqlite_") }
    guard let table = tables[tableKey] else { return isContent(ofTables: tables) }
    if event.kind == .update, !updates(table) { return false }
    return table.contains(event.rowID) || event.initialRowID.map(table.contains) == true
      || mayTouchOtherRows
  }

  private func updates(_ table: TableRegion) -> Bool {
    if let initialRowID = event.initialRowID, initialRowID != event.rowID { return true }
    guard let columns = table.columns, !mayTouchOtherRows else { return true }
    var isAnnounced = false
    for case .update(let table, let updated) in kinds where table.identifierKey == tableKey {
      if updated.contains(where: { columns[$0.identifierKey] != nil }) { return true }
      isAnnounced = true
    }
    return !isAnnounced
  }

  /// True for the shadow tables of a virtual table of the region that the statement writes to.
  ///
  /// Tables that nothing is known of may have the content of any table.
  private func isContent(ofTables tables: [BinaryText: TableRegion]) -> Bool {
    guard let owner = kinds.owner(ofTable: tableKey) else { return true }
    return tables[owner] != nil
  }
}
