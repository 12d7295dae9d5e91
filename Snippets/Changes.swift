// Changes as values: changesets, and undo.

import Foundation
import Quarry
import QuarryChanges

struct Book: Codable, FetchableRecord, PersistableRecord {
  var id: Int
  var title: String
  var price: Double

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let title = Column(CodingKeys.title)
    static let price = Column(CodingKeys.price)
  }
}

func makeShop() throws -> DatabaseQueue {
  let shop = try DatabaseQueue()
  try shop.write { db in
    try db.create(table: "book") { t in
      t.primaryKey("id", .integer)
      t.column("title", .text).notNull()
      t.column("price", .double).notNull()
    }
    try Book(id: 1, title: "Emma", price: 9).insert(db)
  }
  return shop
}

let (shop, branch) = (try makeShop(), try makeShop())

// snippet.record
let changeset = try shop.write { db in
  try db.recordChanges(in: ["book"]) {
    try db.execute(sql: "UPDATE book SET price = 12 WHERE id = 1")
    try Book(id: 2, title: "Persuasion", price: 8).insert(db)
  }
}
for change in changeset.changes.sorted(by: { $0.description < $1.description }) {
  print(change)
}
// insert book [2]
// update book [1]
// snippet.end

// snippet.apply
try branch.write { db in try changeset.apply(to: db) }
// snippet.end

// snippet.records
try branch.read { db in
  for case .updated(let old, let new) in try changeset.records(of: Book.self, db) {
    print(old.title, old.price, new.price)  // Emma 9.0 12.0
  }
}
// snippet.end

// snippet.columns
for change in changeset.changes where change.kind == .update {
  let columns = try branch.read { db in try db.columns(in: change.table).map(\.name) }
  for index in change.changedColumns {
    // price 9.0 12.0
    print(columns[index], change.oldValues?[index] ?? .null, change.newValues?[index] ?? .null)
  }
}
// snippet.end

// snippet.conflict
try branch.write { db in
  try db.execute(sql: "UPDATE book SET price = 10 WHERE id = 1")
  try changeset.inverted().apply(to: db) { conflict in
    print(conflict)  // row [1] of book has other values than those that the update expects
    switch conflict.kind {
    case .data, .conflict: return .replace
    case .notFound: return .omit
    case .constraint, .foreignKey: return .abort
    }
  }
}
// snippet.end

// snippet.file
let (origin, copy) = (try makeShop(), try makeShop())
let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).changes")
_ = FileManager.default.createFile(atPath: file.path, contents: nil)
let handle = try FileHandle(forWritingTo: file)
try origin.write { db in
  try db.recordChanges(to: handle) { try db.execute(sql: "UPDATE book SET price = price * 2") }
}
try handle.close()
try copy.write { db in try db.applyChanges(contentsOf: file) }
// snippet.end
try FileManager.default.removeItem(at: file)

// snippet.values
let books = changeset.filtered { $0.table == "book" && $0.kind == .insert }
let both = try changeset.combined(with: changeset.inverted())
print(books.count, both.isEmpty)  // 1 true
let data = try JSONEncoder().encode(changeset)
// snippet.end
// snippet.recorder
let recorder = try ChangeRecorder(shop, tables: ["book"]) { changeset, db in
  print("committed:", changeset.count)
}
try shop.write { db in
  try db.execute(sql: "UPDATE book SET price = price + 1")  // committed: 2
}
recorder.stop()
// snippet.end
let decoded = try JSONDecoder().decode(Changeset.self, from: data)
precondition(decoded == changeset)

// snippet.undo
let undo = try UndoStack(shop)
try undo.record("Change of price") { db in
  try db.execute(sql: "UPDATE book SET price = 15 WHERE id = 1")
}
print(undo.state.undoName ?? "nothing")  // Change of price
try undo.undo()
try undo.redo()
// snippet.end

// snippet.group
try shop.write { db in
  try undo.record("Import", db) {
    for id in 3...5 {
      try undo.record("Book", db) { try Book(id: id, title: "Book \(id)", price: 1).insert(db) }
    }
  }
}
print(undo.state.undoCount)  // 2
// snippet.end

// snippet.storage
let stored = try UndoStack(
  shop, tables: ["book"], storage: .table("undoStep"), limit: UndoLimit(steps: 50, bytes: 1_000_000)
)
// snippet.end
precondition(!stored.state.canUndo)

// snippet.list
let list = ValueObservation.changes(of: Book.filter { $0.price < 10 }.order { [$0.title, $0.id] })
for try await changes in list.values(in: branch) {
  for change in changes.changes {
    switch change {
    case .inserted(let book, let offset): print("new at \(offset):", book.title)
    case .deleted(let book, let offset): print("gone from \(offset):", book.title)
    case .moved(let book, let old, let new): print(book.title, "from \(old) to \(new)")
    case .updated(let old, let new, _): print(old.title, "is now", new.title)
    }
  }
  if changes.records.count < 100 { break }
}
// snippet.end

let path = FileManager.default.temporaryDirectory.path + "/\(UUID()).sqlite"
let dbPool = try DatabasePool(path: path)
// snippet.signals
let signals = try dbPool.notifyChangesOfOtherProcesses { error in print(error) }
// snippet.end
signals.cancel()
// snippet.named
let namedSignals = try dbPool.notifyChangesOfOtherProcesses(namingTables: true)
// snippet.end
namedSignals.cancel()
try dbPool.close()
for suffix in ["", "-wal", "-shm", "-signals"] {
  try? FileManager.default.removeItem(atPath: path + suffix)
}
