/// Question marks for the parameters of a statement, separated by commas.
///
/// ```swift
/// databaseQuestionMarks(count: 3) // "?,?,?"
/// ```
public func databaseQuestionMarks(count: Int) -> String {
  repeatElement("?", count: count).joined(separator: ",")
}

/// A type whose metatype is `Sendable`: the name that programs for GRDB know.
public typealias GRDBSendableMetatype = SendableMetatype
