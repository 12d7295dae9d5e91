#if os(Linux)
  import Foundation

  /// The results that the clients have got.
  final class Ledger: @unchecked Sendable {
    private let lock = NSLock()
    private var acknowledged: [Transaction: Int] = [:]
    private var unknown: [Transaction: Int] = [:]
    private var failed: Set<Transaction> = []
    private var errors: [String: Int] = [:]
    private var kills: [ContinuousClock.Instant] = []
    /// From each kill to the first acknowledgment of a transaction that began afterwards.
    private var gaps: [Duration] = []
    private var isOver = false
    private var rows = 0

    private func locked<T>(_ body: () -> T) -> T {
      lock.lock()
      defer { lock.unlock() }
      return body()
    }

    var isStopped: Bool { locked { isOver } }
    var rowCount: Int { locked { rows } }
    var killCount: Int { locked { kills.count } }

    func stop() { locked { isOver = true } }

    func noteKill() { locked { kills.append(.now) } }

    func note(
      acknowledged transaction: Transaction, rows count: Int, since begin: ContinuousClock.Instant
    ) {
      locked {
        acknowledged[transaction] = count
        rows += count
        if gaps.count < kills.count, let kill = kills.last, begin > kill {
          gaps.append(kill.duration(to: .now))
        }
      }
    }

    func note(unknown transaction: Transaction, rows count: Int) {
      locked { unknown[transaction] = count }
    }

    func note(failed transaction: Transaction) {
      locked { _ = failed.insert(transaction) }
    }

    func note(unexpected error: any Error) {
      locked { errors["\(error)", default: 0] += 1 }
    }

    /// Compares with the rows that are there: transactions with their numbers of rows and of
    /// different parts.
    func verdict(
      _ stored: [(Transaction, rows: Int, parts: Int)]
    ) -> (isGood: Bool, text: String) {
      locked {
        var present: [Transaction: Int] = [:]
        var (lost, partial, twice, surplus, found) = (0, 0, 0, 0, 0)
        for (transaction, rows, parts) in stored {
          present[transaction] = rows
          if rows != parts { twice += 1 }
          if let count = acknowledged[transaction] ?? unknown[transaction] {
            if parts != count { partial += 1 }
          } else {
            surplus += 1
          }
        }
        for transaction in acknowledged.keys where present[transaction] == nil { lost += 1 }
        for transaction in unknown.keys where present[transaction] != nil { found += 1 }
        let text = """
          \(rows) rows acknowledged in \(acknowledged.count) transactions, \(kills.count) kills: \
          \(lost) lost, \(twice) twice, \(partial) in part, \(surplus) that had failed
          \(unknown.count) transactions with an unknown outcome, of which \(found) are there; \
          \(failed.count) failed
          \(errors.map { "\($0.value) times: \($0.key)" }.joined(separator: "\n"))
          """
        return (lost + twice + partial + surplus == 0 && errors.isEmpty, text)
      }
    }

    func outages(_ victims: Victims) -> String {
      locked {
        let sorted = gaps.sorted()
        guard let longest = sorted.last else { return "no outage was measured" }
        func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }
        return "from a kill (\(victims)) to the next commit: median "
          + "\(milliseconds(sorted[sorted.count / 2])) ms, longest \(milliseconds(longest)) ms"
      }
    }
  }
#endif
