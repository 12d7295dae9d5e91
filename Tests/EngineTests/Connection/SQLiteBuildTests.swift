import QuarryTestSupport
import Testing

@testable import Quarry

/// The library that runs is the one that `make test SQLITE=…` names, and each feature that tests
/// need is in one of them.
struct SQLiteBuildTests {
  @Test(.enabled(if: SQLiteBuild.requestedName != nil, "make test SQLITE=newest"))
  func `the library is the one that was asked for`() throws {
    let variables = try DatabaseQueue().read(\.maximumStatementArgumentCount)
    let available = SQLiteFeature.allCases.filter(\.isAvailable)
    switch SQLiteBuild.requestedName {
    case "3.46.1":
      #expect(SQLiteVersion.linked == SQLiteVersion(3, 46, 1))
      #expect(variables == 250_000)
      #expect(
        available == SQLiteFeature.allCases.filter { ![.snapshots, .encryption].contains($0) })
    case "newest":
      #expect(SQLiteVersion.linked >= SQLiteVersion(3, 53, 4))
      #expect(variables == 32_766)
      #expect(available == SQLiteFeature.allCases.filter { $0 != .encryption })
    case "newest-bare":
      #expect(SQLiteVersion.linked >= SQLiteVersion(3, 53, 4))
      #expect(variables == 999)
      #expect(
        available == [.virtualTableLists, .virtualTableLimits, .orderedAggregates, .jsonb])
      #expect(!SQLiteBuild.options.contains("ENABLE_COLUMN_METADATA"))
    case "sqlcipher":
      #expect(SQLiteVersion.linked >= SQLiteVersion(3, 46, 1))
      #expect(variables == 32_766)
      let lacking: [SQLiteFeature] = [.preUpdateHook, .sessions, .snapshots, .fullTextOperators]
      #expect(available == SQLiteFeature.allCases.filter { !lacking.contains($0) })
    default:
      Issue.record("unknown build \(SQLiteBuild.requestedName ?? "")")
    }
  }

  @Test func `features are those that the library finds`() {
    #expect(SQLiteFeature.snapshots.isAvailable == DatabaseSnapshotPool.isSupported)
    #expect(SQLiteFeature.preUpdateHook.isAvailable == PreUpdateHook.isAvailable)
    #expect(SQLiteFeature.limitedModifications.isAvailable == SQLiteVersion.limitsModifications)
  }
}
