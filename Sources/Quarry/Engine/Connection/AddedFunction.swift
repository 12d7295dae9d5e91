/// A function that an application, or an extension, has added to a connection.
struct AddedFunction {
  let name: String
  /// -1 for any number.
  let argumentCount: Int
  /// Whether it computes from many rows.
  let isAggregate: Bool

  /// The functions of a connection.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_function_list>.
  static func fetchAll(_ db: Database) throws -> [AddedFunction] {
    try db.unrecorded {
      try Row.fetchAll(
        db, sql: "SELECT name, narg, type <> 's' FROM pragma_function_list WHERE NOT builtin"
      ).map { AddedFunction(name: $0[0], argumentCount: $0[1], isAggregate: $0[2]) }
    }
  }
}
