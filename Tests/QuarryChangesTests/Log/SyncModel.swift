import Foundation
import Quarry
import QuarryChanges

/// What databases have to show that have received some transactions, computed from all of them in
/// the simplest way.
struct SyncModel {
  /// A row as a dictionary by column.
  typealias Fields = [String: DatabaseValue]

  struct Write {
    let origin: String
    let sequence: Int64
    let time: Int64
    let context: [String: Int64]
    let fields: Fields?

    /// Whether the writer had seen another write.
    func hadSeen(_ other: Write) -> Bool {
      (other.origin == origin ? sequence - 1 : context[other.origin] ?? 0) >= other.sequence
    }
  }

  private struct Shown {
    let fields: Fields
    let last: Write
  }

  static let columns = [
    "team": ["id", "name", "size"],
    "member": ["id", "teamId", "email", "phone", "bossId", "note"],
    "badge": ["color", "number", "memberId"],
  ]
  static let keys = ["team": ["id"], "member": ["id"], "badge": ["color", "number"]]
  static let uniques = ["team": [["name"]], "member": [["email"], ["phone", "teamId"]]]
  static let parents = [
    "member": [("teamId", "team"), ("bossId", "member")], "badge": [("memberId", "member")],
  ]

  private var writes: [String: [[DatabaseValue]: [Write]]] = [:]
  /// Makes a row of the writes that no other one has seen, the last one last. Nil: the last writer
  /// wins.
  var merge: (([Write]) -> Fields?)?

  mutating func add(_ transaction: LoggedChanges) {
    for change in transaction.changes.changes {
      let columns = Self.columns[change.table] ?? []
      var fields: Fields = [:]
      for (index, column) in columns.enumerated() {
        fields[column] = change.newValues?[index] ?? change.oldValues?[index]
      }
      let write = Write(
        origin: transaction.origin, sequence: transaction.sequence, time: transaction.time,
        context: transaction.context, fields: change.kind == .delete ? nil : fields)
      let key = (Self.keys[change.table] ?? []).map { fields[$0] ?? .null }
      writes[change.table, default: [:]][key, default: []].append(write)
    }
  }

  /// The rows, sorted by their text.
  func rows() -> [String: [String]] {
    var shown: [String: [Shown]] = [:]
    for table in Self.columns.keys {
      shown[table] = (writes[table] ?? [:]).values.compactMap(row)
    }
    let all = shown
    for (table, groups) in Self.uniques {
      shown[table] = shown[table]?.filter { row in
        !groups.contains { group in
          all[table]?.contains { isNewer($0, than: row) && agree($0, row, group) } == true
        }
      }
    }
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for (table, keys) in Self.parents {
        let kept = shown[table]?.filter { row in
          keys.allSatisfy { column, parent in
            guard let value = row.fields[column], !value.isNull else { return true }
            return shown[parent]?.contains { $0.fields["id"] == value } == true
          }
        }
        if kept?.count != shown[table]?.count { hasChanged = true }
        shown[table] = kept
      }
    }
    var texts: [String: [String]] = [:]
    for (table, rows) in shown {
      texts[table] = rows.map { row in
        (Self.columns[table] ?? []).map { row.fields[$0]?.description ?? "?" }.joined(
          separator: " ")
      }.sorted()
    }
    return texts
  }

  private func row(_ writes: [Write]) -> Shown? {
    let sorted = writes.sorted { ($0.time, $0.origin) < ($1.time, $1.origin) }
    guard let last = sorted.last else { return nil }
    guard let merge else { return last.fields.map { Shown(fields: $0, last: last) } }
    let heads = sorted.filter { write in !sorted.contains { $0.hadSeen(write) } }
    guard let head = heads.last, heads.contains(where: { $0.fields != nil }) else { return nil }
    return (heads.count == 1 ? head.fields : merge(heads)).map { Shown(fields: $0, last: head) }
  }

  private func isNewer(_ row: Shown, than other: Shown) -> Bool {
    (row.last.time, row.last.origin, id(row)) > (other.last.time, other.last.origin, id(other))
  }

  /// The key of a row, which decides where one transaction has made the last versions of both: keys
  /// here have one digit or letter.
  private func id(_ row: Shown) -> String { row.fields["id"]?.description ?? "" }

  private func agree(_ row: Shown, _ other: Shown, _ columns: [String]) -> Bool {
    columns.allSatisfy { column in
      guard let value = row.fields[column], let otherValue = other.fields[column],
        !value.isNull
      else { return false }
      if column == "name" {
        return String.fromDatabaseValue(value)?.lowercased()
          == String.fromDatabaseValue(otherValue)?.lowercased()
      }
      return value == otherValue
    }
  }
}

extension SyncPeer {
  /// The rows of all tables, as the model has them.
  func modelRows() throws -> [String: [String]] {
    var texts: [String: [String]] = [:]
    for (table, columns) in SyncModel.columns {
      let list = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      texts[table] = try rows("SELECT \(list) FROM \(table)").sorted()
    }
    return texts
  }
}
