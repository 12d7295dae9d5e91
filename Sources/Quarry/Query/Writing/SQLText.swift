/// The result of writing: the text of a statement, and its arguments.
package struct SQLText {
  package var sql: String
  package var arguments: StatementArguments
  /// Whether the SQL depends on the values of the request: see `SQLWriter.Mode.fewArguments`.
  var containsValues = false
}
