// Patterns that are made of patterns. See
// <https://www.sqlite.org/fts5.html#fts5_boolean_operators>.

public import Quarry

extension FTS5Pattern {
  /// A pattern that matches where both do.
  ///
  /// ```swift
  /// // (sea) AND (river OR lake)
  /// sea && riverOrLake
  /// ```
  ///
  /// FTS5 throws `parser stack overflow` at a search with some 90 patterns in each other: those
  /// where `&&` and `||` take turns. Chains of one operator are not limited.
  public static func && (lhs: FTS5Pattern, rhs: FTS5Pattern) -> FTS5Pattern {
    FTS5Pattern(lhs, "AND", rhs)
  }

  /// A pattern that matches where one of two does. See `&&` for the depth.
  public static func || (lhs: FTS5Pattern, rhs: FTS5Pattern) -> FTS5Pattern {
    FTS5Pattern(lhs, "OR", rhs)
  }

  /// Joins patterns. A chain of one operator has no parentheses in parentheses, which overflow the
  /// stack of the parser of FTS5.
  private init(_ lhs: FTS5Pattern, _ jointOperator: String, _ rhs: FTS5Pattern) {
    let parts = [lhs, rhs].map { pattern in
      pattern.jointOperator == jointOperator ? pattern.rawPattern : "(\(pattern))"
    }
    self.init(unchecked: parts.joined(separator: " \(jointOperator) "))
    self.jointOperator = jointOperator
  }

  /// A pattern that matches where this one does, and the other one does not: `(sea) NOT (river)`.
  /// After another exclusion, `(sea) NOT ((river) OR (lake))`.
  public func excluding(_ pattern: FTS5Pattern) -> FTS5Pattern {
    let base = exclusion?.base ?? "(\(self))"
    let patterns = (exclusion?.patterns ?? []) + ["(\(pattern))"]
    let excluded = patterns.joined(separator: " OR ")
    var result = FTS5Pattern(
      unchecked: "\(base) NOT \(patterns.count == 1 ? excluded : "(\(excluded))")")
    result.exclusion = (base, patterns)
    return result
  }

  /// A pattern that matches in some columns only: `{"title" "body"} : (sea)`. Parts of it that are
  /// limited to columns match in those that are in both lists.
  ///
  /// - throws: A ``/Quarry/DatabaseError`` if there is no column.
  public func inColumns(_ columns: [String]) throws -> FTS5Pattern {
    var known: Set<BinaryText> = []
    let columns = columns.filter { known.insert($0.identifierKey).inserted }
    let list = columns.map(\.quotedDatabaseIdentifier).joined(separator: " ")
    guard !columns.isEmpty else { throw DatabaseError(message: "no column to search") }
    return FTS5Pattern(unchecked: "{\(list)} : (\(self))")
  }
}
