/// A file of migrations is not valid.
///
/// ```
/// 2-titles.sql:3: VACUUM can't run in a transaction: a migration is one
/// ```
public struct MigrationFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the file, or the path of the folder.
  public let file: String

  /// The line at fault, from 1. Nil for a mistake that has no line.
  public let line: Int?

  /// The mistake, and the way out.
  public let message: String

  init(_ file: String, line: Int? = nil, _ message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// The file, the line and the mistake.
  public var description: String { "\(file):\(line.map { "\($0):" } ?? "") \(message)" }
}
