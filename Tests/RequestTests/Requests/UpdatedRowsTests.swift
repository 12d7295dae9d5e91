import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let previous = Column("previous")
private let isDone = Column("isDone")
private let note = Column("note")

private struct Task: TableRecord {
  static let databaseTableName = "task"
}

/// A chain: each task waits for the previous one.
private func withTasks<T>(_ body: (Database) throws -> T) throws -> T {
  let sql = """
    CREATE TABLE task (id INTEGER PRIMARY KEY, previous INTEGER, isDone INTEGER, note INTEGER);
    INSERT INTO task VALUES (1, NULL, 0, 10), (2, 1, 0, 20), (3, 2, 0, 30), (4, 3, 0, 40);
    CREATE TABLE owner (id INTEGER PRIMARY KEY, taskId INTEGER);
    INSERT INTO owner VALUES (1, 2);
    CREATE VIEW openTask AS SELECT * FROM task WHERE isDone = 0;
    """
  return try makeDatabase(sql: sql).write(body)
}

private func expectUpdate(
  of request: QueryInterfaceRequest<Task>, _ assignment: ColumnAssignment, in db: Database,
  _ sql: String, notes: [Int?], _ location: SourceLocation = #_sourceLocation
) throws {
  let text = try SQLWriter.write(
    update: request.relation, assignments: [assignment], conflictResolution: nil, returning: nil,
    in: PlanningContext(db))
  #expect(text.sql == sql, sourceLocation: location)
  try request.updateAll(db, [assignment])
  let found = try Int?.fetchAll(db, Task.order(id).select(note))
  #expect(found == notes, sourceLocation: location)
}

@Suite(.onQueueAndPool)
struct UpdatedRowsTests {
  private let task = TableAlias<Task>()

  /// The request of tasks whose previous one is done.
  private func ready(
    _ condition: (TableAlias<Task>) -> any SQLSpecificExpressible
  ) -> QueryInterfaceRequest<Task> { Task.aliased(task).filter(condition(task)) }

  @Test(arguments: 0..<6)
  func `conditions see no row that is updated`(form: Int) throws {
    let open = isDone == false
    let request =
      switch form {
      case 0: ready { !Task.filter(id == $0[previous] && open).exists() }
      case 1: ready { Task.filter(id == $0[previous] && open).select(count(id)) == 0 }
      case 2: ready { !Table<Row>("openTask").filter(id == $0[previous]).exists() }
      case 3:
        Task.filter(
          sql: "NOT EXISTS (SELECT 1 FROM task p WHERE p.id = task.previous AND p.isDone = 0)")
      case 4:
        Task.all().filterWhenConnected { _ in
          SQL(sql: "NOT EXISTS (SELECT 1 FROM openTask p WHERE p.id = task.previous)").sqlExpression
        }
      default: Task.filter(!Task.filter(open).select(id).contains(previous) || previous == nil)
      }
    try withTasks { db throws in
      #expect(try request.fetchCount(db) == 1)
      #expect(try request.updateAll(db, isDone.set(to: true)) == 1)
      #expect(try Int.fetchAll(db, Task.filter(isDone).select(id)) == [1])
      #expect(try request.updateAll(db, isDone.set(to: true)) == 2)
    }
  }

  @Test func `rows are found by their key where conditions may see updated ones`() throws {
    try withTasks { db throws in
      try expectUpdate(
        of: ready { !Task.filter(id == $0[previous] && note > 0).exists() }, note.set(to: 0),
        in: db,
        """
        UPDATE "task" SET "note" = ? WHERE "id" IN (SELECT "id" FROM "task" WHERE NOT EXISTS \
        (SELECT "task1".* FROM "task" "task1" WHERE ("task1"."id" = "task"."previous") \
        AND ("task1"."note" > ?)))
        """, notes: [0, 20, 30, 40])
      let owned = Table<Row>("owner").filter(Column("taskId") == task[id]).exists()
      try expectUpdate(
        of: ready { _ in owned }, note.set(to: 1), in: db,
        """
        UPDATE "task" SET "note" = ? WHERE EXISTS \
        (SELECT * FROM "owner" WHERE "taskId" = "task"."id")
        """, notes: [0, 1, 30, 40])
      try expectUpdate(
        of: Task.filter(sql: "EXISTS (SELECT 1 FROM owner WHERE taskId = task.id)"),
        note.set(to: 2), in: db,
        """
        UPDATE "task" SET "note" = ? WHERE EXISTS (SELECT 1 FROM owner WHERE taskId = task.id)
        """, notes: [0, 2, 30, 40])
      try expectUpdate(
        of: Task.filter(sql: "EXISTS (SELECT 1 FROM json_each('[3]') WHERE value = task.id)"),
        note.set(to: 3), in: db,
        """
        UPDATE "task" SET "note" = ? \
        WHERE EXISTS (SELECT 1 FROM json_each('[3]') WHERE value = task.id)
        """, notes: [0, 2, 3, 40])
    }
  }

  /// SQLite looks the values up in the index.
  @Test func `a list of IN that has an index is that of the rows before the update`() throws {
    try withTasks { db throws in
      try db.execute(sql: "UPDATE task SET note = previous * 10; CREATE INDEX notes ON task(note)")
      try expectUpdate(
        of: Task.filter(Task.select(note).contains(id * 10)), note += 20, in: db,
        """
        UPDATE "task" SET "note" = "note" + ? WHERE "id" IN \
        (SELECT "id" FROM "task" WHERE ("id" * ?) IN (SELECT "note" FROM "task"))
        """, notes: [nil, 30, 40, 30])
    }
  }

  @Test func `values see no row that is updated`() throws {
    let sum = Task.filter(id <= task[id]).select(Quarry.sum(note))
    let sql = """
      UPDATE "task" SET "note" = (SELECT SUM("task1"."note") FROM "task" "task1" \
      WHERE "task1"."id" <= "task"."id") FROM (SELECT 1)
      """
    try withTasks { db throws in
      try expectUpdate(
        of: Task.aliased(task), note.set(to: sum), in: db, sql, notes: [10, 30, 60, 100])
      try expectUpdate(
        of: Task.aliased(task).filter(id > 2), note.set(to: sum), in: db,
        sql + #" WHERE "task"."id" IN (SELECT "id" FROM "task" WHERE "id" > ?)"#,
        notes: [10, 30, 100, 200])
      let text = SQL(sql: "(SELECT MAX(note) FROM task t WHERE t.id < task.id)").sqlExpression
      try expectUpdate(
        of: Task.filter(sql: "rowid > 1"), note.set(to: text), in: db,
        """
        UPDATE "task" SET "note" = (SELECT MAX(note) FROM task t WHERE t.id < task.id) \
        FROM (SELECT 1) WHERE "task"."id" IN (SELECT "id" FROM "task" WHERE rowid > 1)
        """, notes: [10, 10, 30, 100])
      let largest = Task.select(max(note))
      try expectUpdate(
        of: Task.filter(id > 2), note.set(to: largest), in: db,
        #"UPDATE "task" SET "note" = (SELECT MAX("note") FROM "task") WHERE "id" > ?"#,
        notes: [10, 10, 100, 100])
    }
  }

  @Test func `a limited update and its returned rows`() throws {
    let sum = Task.filter(id <= task[id]).select(Quarry.sum(note))
    try withTasks { db throws in
      let last = Task.aliased(task).order(id.desc).limit(3)
      let statement = try last.updateAndFetchStatement(
        db, [note.set(to: sum)], selection: [note + id])
      #expect(try Set(Int.fetchAll(statement)) == [32, 63, 104])
    }
  }

  @Test func `tables without rowid, in other schemas, and in triggers`() throws {
    try withTasks { db throws in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS other;
          CREATE TABLE other.task (
            id TEXT COLLATE NOCASE, part INTEGER, note INTEGER, PRIMARY KEY (id, part)
          ) WITHOUT ROWID;
          INSERT INTO other.task VALUES ('a', 1, 1), ('a', 2, 2), ('B', 1, 4);
          """)
      let (others, other) = (Table<Row>("other.task"), TableAlias<Row>())
      let before = others.filter(note < other[note]).select(Quarry.sum(note))
      let all = others.all().aliased(other)
      #expect(try all.updateAll(db, note.set(to: before)) == 3)
      #expect(try Int?.fetchAll(db, others.order(id, Column("part")).select(note)) == [nil, 1, 3])
      let smallest = all.filter(!others.filter(note < other[note]).exists()).filter(note != nil)
      #expect(try smallest.updateAll(db, note.set(to: 9)) == 1)
    }
  }
}
