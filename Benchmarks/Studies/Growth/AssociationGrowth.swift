import Quarry

// How the cost of associations grows with the number of rows: each line should cost about the same
// per child.

struct Parent: Codable, FetchableRecord, TableRecord {
  static let children = hasMany(Child.self)
  var id: Int64
  var name: String
}

struct Child: Codable, FetchableRecord, TableRecord {
  static let parent = belongsTo(Parent.self)
  var id: Int64
  var parentId: Int64
  var title: String
  var score: Int
}

struct ParentInfo: Decodable, FetchableRecord {
  var parent: Parent
  var children: [Child]
}

struct ChildInfo: Decodable, FetchableRecord {
  var child: Child
  var parent: Parent
}

/// Parents with ten children each.
func makeDatabase(children count: Int) throws -> DatabaseQueue {
  let database = try DatabaseQueue()
  try database.write { db in
    try db.execute(
      sql: """
        CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE child (
          id INTEGER PRIMARY KEY, parentId INTEGER NOT NULL REFERENCES parent, title TEXT NOT NULL,
          score INTEGER NOT NULL);
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count / 10))
        INSERT INTO parent SELECT i, 'parent ' || i FROM n;
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO child SELECT i, 1 + i % \(count / 10), 'child ' || i, i * 7919 % 1000 FROM n;
        CREATE INDEX childOfParent ON child(parentId, score);
        """)
  }
  return database
}

/// A way to fetch associations, and the number of children that it finds.
struct Work: Sendable {
  var name: String
  var run: @Sendable (Database) throws -> Int

  static let all = [
    Work(name: "including(all:) Codable") { db in
      try Parent.including(all: Parent.children).asRequest(of: ParentInfo.self).fetchAll(db)
        .reduce(0) { $0 + $1.children.count }
    },
    Work(name: "including(all:) limit(3)") { db in
      let best = Parent.children.order(Column("score").desc).limit(3)
      return try Parent.including(all: best).asRequest(of: ParentInfo.self).fetchAll(db)
        .reduce(0) { $0 + $1.children.count }
    },
    Work(name: "including(required:) Codable") { db in
      try Child.including(required: Child.parent).asRequest(of: ChildInfo.self).fetchAll(db).count
    },
    Work(name: "including(optional:) first()") { db in
      let best = Parent.children.order(Column("score").desc).first()
      return try Row.fetchAll(db, Parent.including(optional: best)).count
    },
  ]
}

enum AssociationGrowth {
  static func print() throws {
    Swift.print("children  found     ms        ns per child found")
    for count in [1_000, 10_000, 100_000, 1_000_000] {
      let database = try makeDatabase(children: count)
      for work in Work.all { try print(work, count, database) }
    }
  }

  private static func print(_ work: Work, _ count: Int, _ database: DatabaseQueue) throws {
    let clock = ContinuousClock()
    var found = 0
    let times = try (0..<3).map { _ in
      try clock.measure { found = try database.read(work.run) }
    }
    let best = times.min() ?? .zero
    let nanoseconds =
      Double(best.components.attoseconds) / 1e9 + Double(best.components.seconds) * 1e9
    Swift.print(
      count, found, (nanoseconds / 1e4).rounded() / 100, Int(nanoseconds) / max(found, 1),
      work.name, separator: "\t")
  }
}
