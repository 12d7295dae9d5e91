public import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

/// The work of the growth as a program on a toolkit does it. See ``Toolkit``.
public struct GrowthToolkit: GrowthContender {
  private let toolkit: Toolkit

  public init(path: String) throws {
    toolkit = try Toolkit(path: path)
  }

  public func pass(for work: GrowthWork, rows: Int) -> Pass? {
    switch work {
    case .fetch: toolkit.reading(toolkit.all(Loan.self))
    case .join: toolkit.pass(for: .narrowPairs)
    case .prefetch: toolkit.pass(for: .narrowChildren)
    case .insert: inserts(GrowthDataset.loans(rows: rows).map(CodableNewLoan.init))
    case .delete: deletions(GrowthDataset.deletedKeys(rows: rows))
    }
  }

  /// The peer inserts one record after the other.
  private func inserts(_ loans: [CodableNewLoan]) -> Pass {
    toolkit.writing(
      "newLoan", IndexedLoan.self, toolkit.insertMany(loans) ?? toolkit.insert(loans))
  }

  private func deletions(_ keys: [Int64]) -> Pass {
    let queue = toolkit.queue
    return Pass(
      prepare: { try toolkit.execute(GrowthDataset.fullTable) },
      run: {
        _ = try queue.write { db in try CodableNewLoan.deleteAll(db, keys: keys) }
        return { try toolkit.newLoans() }
      })
  }
}
