import QuarryTestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// The test runs on SQLite 3.40, where the outcome of each fault has been judged. Later versions
  /// tolerate other ones.
  static var onJudgedSQLite: Self {
    .enabled(if: SQLiteBuild.version / 1000 == 3_040, "its faults are judged on SQLite 3.40")
  }
}
