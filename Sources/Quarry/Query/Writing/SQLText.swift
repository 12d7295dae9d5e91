/// The result of writing: the text of a statement, and its arguments.
struct SQLText {
  var sql: String
  var arguments: StatementArguments
  /// Whether the SQL depends on the values of the request: see `SQLWriter.Mode.fewArguments`.
  var containsValues = false
}
