/// The changes that may still be undone without the end of their transaction: those of the
/// statement that is running, and those since the first open savepoint.
///
/// They are notified when they can only be undone with the transaction.
struct PendingChanges {
  enum Change {
    case willChange(DatabasePreUpdateEvent, FollowedStatement)
    case row(DatabaseEvent, FollowedStatement)
    /// Changes of rows that an engine does not report.
    case unspecified(FollowedStatement)
    /// The rows of a region.
    case region(RegionObserver)
    /// A table of a region, altered or dropped.
    case definition(RegionObserver)

    /// Whether a statement has changed the row itself.
    fileprivate func isRow(of statement: FollowedStatement) -> Bool {
      switch self {
      case .willChange(_, let other), .row(_, let other), .unspecified(let other):
        other === statement
      case .region, .definition: false
      }
    }
  }

  private(set) var changes: [Change] = []

  /// The open savepoints, with the number of changes before each of them.
  private(set) var savepoints: [(key: BinaryText, changeCount: Int)] = []

  var isInsideSavepoint: Bool { !savepoints.isEmpty }

  mutating func append(_ change: Change) {
    if case .region(let observer) = change { observer.pendingChange = changes.count }
    changes.append(change)
  }

  /// Appends regions that are touched in rows that are not known, but those that are notified
  /// anyway.
  mutating func touch(_ regions: [RegionObserver]) {
    for observer in regions {
      observer.rows?.forget()
      if !observer.isNoted { append(.region(observer)) }
    }
  }

  mutating func beginSavepoint(_ name: String) {
    savepoints.append((name.identifierKey, changes.count))
  }

  /// Forgets a savepoint, and those inside.
  mutating func releaseSavepoint(_ name: String) {
    guard let index = lastIndex(ofSavepoint: name) else { return }
    savepoints.removeSubrange(index...)
  }

  /// Undoes the changes since a savepoint, which stays.
  mutating func rollbackToSavepoint(_ name: String) {
    guard let index = lastIndex(ofSavepoint: name) else { return }
    savepoints.removeSubrange((index + 1)...)
    undo(downTo: savepoints[index].changeCount)
  }

  /// Whether the name is that of the outermost savepoint, and of none inside.
  func isFirstSavepoint(_ name: String) -> Bool { lastIndex(ofSavepoint: name) == 0 }

  private func lastIndex(ofSavepoint name: String) -> Int? {
    savepoints.lastIndex { $0.key == name.identifierKey }
  }

  /// Undoes all changes but the first ones.
  mutating func undo(downTo count: Int) {
    guard count < changes.count else { return }
    for case .region(let observer) in changes[count...] { observer.pendingChange = nil }
    changes.removeSubrange(count...)
  }

  /// Undoes the rows of a statement among all changes but the first ones. Regions stay, which other
  /// statements may have touched as well.
  mutating func undo(_ statement: FollowedStatement, downTo count: Int) {
    guard count < changes.count else { return }
    let others = changes[count...].filter { !$0.isRow(of: statement) }
    changes.replaceSubrange(count..., with: others)
    for index in changes.indices.dropFirst(count) {
      if case .region(let observer) = changes[index] { observer.pendingChange = index }
    }
  }

  /// Called at the end of a transaction.
  mutating func forgetSavepoints() { savepoints = [] }

  /// Undoes all, with all savepoints.
  mutating func clear() {
    undo(downTo: 0)
    savepoints = []
  }

  /// Forgets the changes, which are notified now.
  mutating func removeChanges() {
    for case .region(let observer) in changes { observer.pendingChange = nil }
    changes.removeAll(keepingCapacity: true)
    for index in savepoints.indices { savepoints[index].changeCount = 0 }
  }
}
