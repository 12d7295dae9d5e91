/// A kind of changes that a statement may do, known before it is executed.
///
/// The names are those of the declarations of tables and columns, without schema.
public enum DatabaseEventKind: Sendable {
  /// Rows may be inserted into a table.
  case insert(tableName: String)

  /// Rows of a table may be deleted.
  case delete(tableName: String)

  /// Columns of a table may be updated. The rowid is named `ROWID`, unless it is set by the name of
  /// its column. Columns whose names differ in their Unicode normalization only are of several
  /// kinds.
  case update(tableName: String, columnNames: Set<String>)

  /// The name of the table.
  public var tableName: String {
    switch self {
    case .insert(let tableName), .delete(let tableName), .update(let tableName, _): tableName
    }
  }
}

extension DatabaseEventKind {
  /// Returns whether a change of a row is of the kind. It does not say which columns changed.
  func includes(_ change: DatabaseEvent.Kind, of table: String) -> Bool {
    verb == change && tableName.isSameIdentifier(as: table)
  }

  var isUpdate: Bool { verb == .update }

  fileprivate var verb: DatabaseEvent.Kind {
    switch self {
    case .insert: .insert
    case .delete: .delete
    case .update: .update
    }
  }
}

extension [DatabaseEventKind] {
  /// The kinds of changes of a table: deletions, insertions, and updates of some columns.
  init(allOfTable table: String, columns: [String]) {
    self = [.delete(tableName: table), .insert(tableName: table)]
    for column in columns { addUpdate(ofTable: table, column: column) }
  }

  /// Adds an update of a column, to the kind of the other columns of the table. A set of strings
  /// has only one of two names that Swift takes for equal: the other one is of a kind of its own.
  mutating func addUpdate(ofTable table: String, column: String) {
    for (index, kind) in enumerated() {
      guard case .update(let name, let columns) = kind, name.hasSameBytes(as: table),
        columns.firstIndex(of: column).map({ columns[$0].hasSameBytes(as: column) }) ?? true
      else { continue }
      self[index] = .update(tableName: table, columnNames: columns.union([column]))
      return
    }
    append(.update(tableName: table, columnNames: [column]))
  }

  /// Whether all changes of a kind are of the kinds.
  func includes(_ kind: DatabaseEventKind) -> Bool {
    contains { other in
      guard other.includes(kind.verb, of: kind.tableName) else { return false }
      guard case (.update(_, let columns), .update(_, let others)) = (kind, other) else {
        return true
      }
      return columns.isSubset(of: others)
    }
  }

  /// The key of the table of the kinds that a table belongs to: itself, or the virtual table that
  /// stores its content in it. Nil for tables that the kinds say nothing of.
  ///
  /// The names of shadow tables begin with that of their table: `book_ft_data` belongs to
  /// `book_ft`, and not to `book`.
  ///
  /// See <https://www.sqlite.org/vtab.html#the_xshadowname_method>.
  func owner(ofTable key: BinaryText) -> BinaryText? {
    var owner: BinaryText?
    for kind in self {
      let name = kind.tableName.identifierKey
      if name == key { return name }
      if key.hasPrefix(name.text + "_"), name.text.utf8.count > owner?.text.utf8.count ?? 0 {
        owner = name
      }
    }
    return owner
  }
}
