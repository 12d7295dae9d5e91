import Quarry

/// The rows of a table that have changed since a list of them was fetched: an observation fetches
/// these rows instead of the list.
///
/// Rows too many do no harm, such as those of changes that are rolled back: they are as they were
/// in the list. Where nobody knows which rows have changed, the list is forgotten.
///
/// It is used in accesses to the connection that writes only, and a list is fetched outside of
/// transactions: all changes before it are in it, all others come here.
final class ChangedRows: RowFollower, @unchecked Sendable {
  /// What is kept of the list.
  private var list: (any Sendable)?
  private var table: BinaryText = ""
  private var rowIDColumn: String?
  private var limit = 0
  private var rowIDs: Set<Int64> = []
  private var hasNewList = true

  /// Begins with a list, which includes all changes so far.
  ///
  /// - parameter rowIDColumn: The column that is an alias of the rowid.
  /// - parameter limit: The number of rows from which on the list is to be fetched again.
  func begin(_ list: some Sendable, ofTable table: String, rowIDColumn: String?, limit: Int) {
    self.list = list
    self.table = table.identifierKey
    self.rowIDColumn = rowIDColumn
    self.limit = limit
    rowIDs = []
    hasNewList = true
  }

  /// The rows that have changed since the last call. Nil without a list.
  func take() -> (list: any Sendable, rowIDs: Set<Int64>)? {
    guard let list else { return nil }
    defer { rowIDs = [] }
    return (list, rowIDs)
  }

  /// Forgets the list.
  func forget() {
    list = nil
    rowIDs = []
    hasNewList = true
  }

  /// Whether the list was fetched or forgotten since the last call.
  func takeHasNewList() -> Bool {
    defer { hasNewList = false }
    return hasNewList
  }

  /// Notes a change, whether it stays or not.
  func note(_ event: DatabaseEvent, announcedBy kinds: [DatabaseEventKind]) {
    if list == nil { return }
    let namesRows = event.kind != .update || event.initialRowID != nil || keepsRowIDs(kinds)
    guard event.tableName.identifierKey == table, namesRows, rowIDs.count < limit else {
      return forget()
    }
    rowIDs.insert(event.rowID)
    if let initialRowID = event.initialRowID { rowIDs.insert(initialRowID) }
  }

  /// Whether the updates that a statement announces leave the rowids of the table alone: without a
  /// preupdate hook, SQLite reports the new one only.
  private func keepsRowIDs(_ kinds: [DatabaseEventKind]) -> Bool {
    var isAnnounced = false
    for case .update(let name, let columns) in kinds where name.identifierKey == table {
      isAnnounced = true
      let names = [DatabaseRegion.rowIDName] + (rowIDColumn.map { [$0] } ?? [])
      if columns.contains(where: { column in names.contains { $0.isSameIdentifier(as: column) } }) {
        return false
      }
    }
    return isAnnounced
  }
}
