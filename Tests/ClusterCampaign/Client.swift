#if os(Linux)
  import Foundation
  import Quarry
  import QuarryCluster
  import RandomNumbers

  /// One transaction of a client: a few rows with the same number.
  struct Transaction: Hashable, Sendable {
    let client: Int
    let number: Int
  }

  /// Writes transactions, one after the other, until enough rows were acknowledged.
  struct Client {
    private let number: Int
    private let ledger: Ledger
    private let rowCount: Int
    private var random: SplitMix64

    init(_ number: Int, _ seed: UInt64, _ ledger: Ledger, rowCount: Int) {
      (self.number, self.ledger, self.rowCount) = (number, ledger, rowCount)
      random = SplitMix64(seed: seed)
    }

    func run(_ addresses: [String]) {
      var client = self
      do {
        var configuration = Configuration()
        configuration.busyMode = .timeout(60)
        let cluster = try DatabaseCluster(
          nodes: addresses, name: "library", configuration: configuration, options: .campaign)
        var transaction = 0
        while !ledger.isStopped {
          transaction += 1
          client.write(transaction, to: cluster)
        }
        try cluster.close()
      } catch {
        ledger.note(unexpected: error)
      }
    }

    private mutating func write(_ number: Int, to cluster: DatabaseCluster) {
      let transaction = Transaction(client: self.number, number: number)
      let count = 1 + random.below(4)
      let begin = ContinuousClock.now
      do {
        try cluster.write { db in
          for part in 0..<count {
            try db.execute(
              sql: "INSERT INTO loan (client, number, part, book) VALUES (?, ?, ?, ?)",
              arguments: [transaction.client, transaction.number, part, "The Trial"])
          }
        }
        ledger.note(acknowledged: transaction, rows: count, since: begin)
      } catch let error as ClusterError where error.code == .commitOutcomeUnknown {
        ledger.note(unknown: transaction, rows: count)
      } catch {
        ledger.note(failed: transaction)
        ledger.note(unexpected: error)
      }
    }
  }
#endif
