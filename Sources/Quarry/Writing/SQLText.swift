/// The result of writing: the text of a statement, and its arguments.
struct SQLText {
  var sql: String
  var arguments: StatementArguments
}
