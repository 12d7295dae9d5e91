/// The rows of a partition that a window function looks at.
///
/// ```swift
/// // AVG("score") OVER (ORDER BY "date" ROWS BETWEEN ? PRECEDING AND CURRENT ROW)
/// average(Column("score")).over(
///   orderBy: Column("date"), frame: .rows(from: .preceding(2), to: .currentRow))
/// ```
///
/// The product `QuarryFunctions` creates it.
///
/// See <https://www.sqlite.org/windowfunctions.html#frame_specifications>.
public struct SQLWindowFrame: Sendable {
  package enum Unit: UInt8, Sendable {
    case rows, range, groups
  }

  let unit: Unit
  var start: Bound
  /// The current row if nil.
  var end: Bound?
  let exclusion: Exclusion

  package init(unit: Unit, start: Bound, end: Bound?, exclusion: Exclusion) {
    self.unit = unit
    self.start = start
    self.end = end
    self.exclusion = exclusion
  }

  /// An end of a frame.
  public struct Bound: Sendable {
    package enum Node: Sendable {
      case unboundedPreceding
      case preceding(SQLExpression)
      case currentRow
      case following(SQLExpression)
      case unboundedFollowing
    }

    let node: Node

    package init(node: Node) { self.node = node }
  }

  /// Rows that are left out of a frame.
  public enum Exclusion: Sendable {
    /// No row is left out.
    case noOthers

    /// The current row is left out.
    case currentRow

    /// The current row and its peers are left out.
    case group

    /// The peers of the current row are left out.
    case ties
  }
}
