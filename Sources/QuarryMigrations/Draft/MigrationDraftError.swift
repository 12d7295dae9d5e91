/// A migration can't be drafted as it is asked for.
public enum MigrationDraftError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A name of `renaming` or `values` does not fit the schemas, or is missing there: of a table
  /// without rowids that has rows, no column stays.
  case invalidName(String, reason: String)

  /// The SQL of one of `values` is no expression over the columns of the old table, or an
  /// aggregate.
  case invalidValue(String, sql: String, reason: String)

  /// The migration loses data, and has no permission.
  case dataLoss([MigrationDraft.Loss])

  /// Columns that can't be NULL, such as an `INTEGER PRIMARY KEY`, have no value for rows that
  /// exist.
  case missingValues([MigrationDraft.MissingValue])

  /// The schema after the migration is not the new one: each difference in words.
  case differentSchema([String])

  /// Record types don't say what their tables need: each gap in words.
  case recordTypes([String])

  /// The mistake, and the way out.
  public var description: String {
    switch self {
    case .invalidName(let name, let reason): "\(name): \(reason)"
    case .invalidValue(let name, let sql, let reason):
      "\(name): the value `\(sql)` is no SQL expression over the columns of the old table, after they "
        + "have been renamed: \(reason)"
    case .dataLoss(let losses):
      "the migration loses data, and needs permission (allowing: .dataLoss, --allow-data-loss), "
        + "or a new name for what it drops (renaming, --rename)"
        + losses.map { "\n- \($0)" }.joined()
    case .missingValues(let values):
      "columns that can't be NULL need a value for the rows that exist (values, --value)"
        + values.map { "\n- \($0)" }.joined()
    case .recordTypes(let problems):
      "record types don't say what their tables need"
        + problems.map { "\n- \($0)" }.joined()
    case .differentSchema(let differences):
      "the migration does not make the new schema" + differences.map { "\n- \($0)" }.joined()
    }
  }
}
