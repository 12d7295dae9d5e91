/// What the first step of a statement that writes and returns rows has done, which is all that the statement writes.
///
/// Who reads the rows may run other statements meanwhile, and the connection tells what these have done.
///
/// See <https://www.sqlite.org/lang_returning.html#processing_order>.
struct StatementFirstStep {
  /// The rowid of the last inserted row.
  let rowID: Int64
  /// True if a row was written.
  let hasRow: Bool
}
