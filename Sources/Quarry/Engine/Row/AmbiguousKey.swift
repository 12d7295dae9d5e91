// A property of a record is fed by the association whose key is its name, or else by the row
// itself. In a row of several records, a name may stand for two of them: then it is not decoded as
// one of them by chance.

/// The record of a row, where an association of the row has its name as a key: that of an employee
/// who has an employee as a boss.
package struct NamesakeRecord: Equatable, Sendable {
  /// The name of the table, in the singular.
  let name: String
  /// The columns of the table. Nil if only SQLite knows them.
  let columns: [String]?

  package static func == (lhs: NamesakeRecord, rhs: NamesakeRecord) -> Bool {
    lhs.name.hasSameBytes(as: rhs.name) && lhs.columns.hasSameTexts(as: rhs.columns)
  }

  fileprivate func has(_ column: String) -> Bool {
    columns?.contains(where: column.isSameIdentifier) ?? true
  }
}

/// The name of a property that stands for several records of its row.
package enum AmbiguousKey: Sendable, CustomStringConvertible {
  /// The key of an association, which is the name of the row's own record.
  case hidesRecord(String)
  /// The key of several associations, with those that lead to them.
  case isShared(String, [[String]])

  package var description: String {
    switch self {
    case .hidesRecord(let key):
      "the association key \(key.debugDescription) hides the record of the row itself, which "
        + "property \(key.debugDescription) may be as well: give the association another key, with "
        + "`key:` or `forKey(_:)`"
    case .isShared(let key, let paths):
      "property \(key.debugDescription) may be any of several associations: "
        + "\(paths.map { $0.joined(separator: ".") }.joined(separator: ", ")). Give them different "
        + "keys, with `key:` or `forKey(_:)`, or decode each one in a property of its parent"
    }
  }
}

extension RowLayout {
  /// Why it is not certain which record of the row a property is. Nil if it is.
  ///
  /// A record that takes columns of the row is the record of the row: it can't be meant by one of
  /// its own properties.
  ///
  /// - parameter paths: those of the nearest scopes with the name.
  /// - parameter takesColumn: whether the type that has the property has one for a column of the
  ///   row, too.
  package func ambiguity(
    ofProperty name: String, at paths: [[String]], takesColumn: (_ column: String) -> Bool
  ) -> AmbiguousKey? {
    if let namesake, namesake.name.isSameIdentifier(as: name) {
      let own = columnNames.filter(namesake.has)
      if !own.isEmpty, !own.contains(where: takesColumn) { return .hidesRecord(name) }
    }
    return paths.count > 1 ? .isShared(name, paths) : nil
  }
}
