/// One execution of a statement, with those who follow its changes.
final class FollowedStatement {
  /// An observer, and which kinds of the statement it wants.
  struct Follower {
    let registration: ObserverRegistration
    let wantsKind: [Bool]
  }

  let kinds: [DatabaseEventKind]
  private let changedTables: Set<BinaryText>
  let followers: [Follower]
  /// The observers of regions that are not touched yet.
  private var regions: [RegionObserver]
  private let altered: [RegionObserver]

  init(_ effects: StatementEffects, followers: [Follower], regions: [RegionObserver]) {
    kinds = effects.kinds
    changedTables = effects.changedTables
    self.followers = followers
    self.regions = regions
    altered =
      effects.alteredTables.isEmpty
      ? []
      : regions.filter { observer in
        effects.alteredTables.contains { observer.region.tables?[$0] != nil }
      }
  }

  /// With one kind, followers want all changes: those of shadow tables are the content of a virtual table. With several kinds,
  /// they want those of the kinds that they have accepted, and those of no kind.
  func wants(_ event: DatabaseEvent, _ follower: Follower) -> Bool {
    if kinds.count == 1 { return true }
    var isAnnounced = false
    for (index, kind) in kinds.enumerated() where kind.includes(event) {
      if follower.wantsKind[index] { return true }
      isAnnounced = true
    }
    return !isAnnounced
  }

  /// True while there are regions to look at.
  var hasRegions: Bool { !regions.isEmpty }

  /// True if a follower may implement `databaseWillChange(with:)`.
  var wantsPreUpdates: Bool {
    followers.contains { !$0.registration.ignoresPreUpdates }
  }

  /// Appends the regions that an event touches, once.
  ///
  /// - parameter knowsRows: Whether updates that change the rowid of a row have the former one.
  func touchRegions(_ event: DatabaseEvent, _ log: inout ChangeLog, knowsRows: Bool) {
    let change = RegionChange(event, kinds: kinds, knowsRows: knowsRows)
    regions.removeAll { observer in
      if observer.isTouched || observer.pendingChange != nil || observer.isNotified { return true }
      guard change.touches(observer.region) else { return false }
      log.append(.region(observer))
      return true
    }
  }

  /// True if the statement writes to a table whose changes SQLite may report too late.
  var writesSilently: Bool {
    regions.contains { !$0.silentTables.isDisjoint(with: changedTables) }
  }

  /// Appends the regions that have such a table.
  func touchSilentRegions(_ log: inout ChangeLog) {
    for observer in regions
    where !observer.silentTables.isDisjoint(with: changedTables) && !observer.isTouched
      && observer.pendingChange == nil && !observer.isNotified
    { log.append(.region(observer)) }
  }

  /// Appends the regions whose tables were altered.
  func touchDefinitions(_ log: inout ChangeLog) {
    for observer in altered where !observer.isNotified { log.append(.definition(observer)) }
  }
}

/// A change of a row, for regions.
struct RegionChange {
  private let event: DatabaseEvent
  private let kinds: [DatabaseEventKind]
  private let tableKey: BinaryText
  /// True for an update that may set the rowid, where nothing says which rowid the row had: any column may be its name.
  private let mayMoveRows: Bool

  init(_ event: DatabaseEvent, kinds: [DatabaseEventKind], knowsRows: Bool) {
    self.event = event
    self.kinds = kinds
    tableKey = event.tableName.identifierKey
    mayMoveRows = event.kind == .update && event.initialRowID == nil && !knowsRows
  }

  func touches(_ region: DatabaseRegion) -> Bool {
    // Such as the statistics of `ANALYZE`.
    guard let tables = region.tables else { return !tableKey.hasPrefix("sqlite_") }
    guard let table = tables[tableKey] else { return isContent(ofTables: tables) }
    if event.kind == .update, !updates(table) { return false }
    return table.contains(event.rowID) || event.initialRowID.map(table.contains) == true
      || mayMoveRows
  }

  private func updates(_ table: TableRegion) -> Bool {
    if let initialRowID = event.initialRowID, initialRowID != event.rowID { return true }
    guard let columns = table.columns, !mayMoveRows else { return true }
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
    var isAnnounced = false
    for kind in kinds {
      let key = kind.tableName.identifierKey
      let isShadow = tableKey.hasPrefix(key.text + "_")
      if isShadow, tables[key] != nil { return true }
      isAnnounced = isAnnounced || isShadow || key == tableKey
    }
    return !isAnnounced
  }
}
