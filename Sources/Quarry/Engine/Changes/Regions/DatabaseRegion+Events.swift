extension DatabaseRegion {
  /// Returns whether events of a kind may modify the region.
  ///
  /// Insertions and deletions modify all columns, updates those that they set. An update of the
  /// rowid may move any row into the region or out of it. False only if no event of the kind can
  /// modify the region.
  public func isModified(byEventsOfKind eventKind: DatabaseEventKind) -> Bool {
    guard let tables else { return true }
    guard let table = tables[eventKind.tableName.identifierKey] else { return false }
    guard case .update(_, let columnNames) = eventKind else { return true }
    if columnNames.contains(where: { $0.isSameIdentifier(as: Self.rowIDName) }) { return true }
    guard let columns = table.columns else { return !columnNames.isEmpty }
    return columnNames.contains { columns[$0.identifierKey] != nil }
  }

  /// Returns whether an event modifies one of the rows of the region. Ask this of events whose kind
  /// modifies the region.
  ///
  /// Returns true for tables that the region does not name: they may be shadow tables of its
  /// virtual tables.
  public func isModified(by event: DatabaseEvent) -> Bool {
    guard let tables, let table = tables[event.tableName.identifierKey] else { return true }
    return table.contains(event.rowID) || event.initialRowID.map(table.contains) == true
  }

  /// How SQLite calls the rowid of a table in an update.
  package static var rowIDName: String { "ROWID" }
}

extension TableRegion {
  func contains(_ rowID: Int64) -> Bool { rowIDs?.contains(rowID) ?? true }
}
