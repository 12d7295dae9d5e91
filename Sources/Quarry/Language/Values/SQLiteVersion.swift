import CSQLite

/// A version of SQLite. The library runs with any from 3.35; what needs a later one is checked when
/// it is used.
package struct SQLiteVersion: Comparable, Sendable, CustomStringConvertible {
  /// 3040001 for 3.40.1.
  let number: CInt

  package init(_ major: CInt, _ minor: CInt, _ patch: CInt = 0) {
    number = 1_000_000 * major + 1000 * minor + patch
  }

  private init(number: CInt) { self.number = number }

  /// The version that the process runs with.
  package static let linked = SQLiteVersion(number: sqlite3_libversion_number())

  /// True if `UPDATE` and `DELETE` may have a `LIMIT`. See
  /// <https://www.sqlite.org/compile.html#enable_update_delete_limit>.
  static let limitsModifications =
    unsafe sqlite3_compileoption_used("ENABLE_UPDATE_DELETE_LIMIT") != 0

  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

  /// Without a patch number that is zero.
  package var description: String {
    let patch = number % 1000
    let name = "\(number / 1_000_000).\(number / 1000 % 1000)"
    return patch == 0 ? name : "\(name).\(patch)"
  }
}
