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
      WHERE "task1"."id" <= "task"."id") FROM (SELECT 1 AS "grdb_row")
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
        FROM (SELECT 1 AS "grdb_row") \
        WHERE "task"."id" IN (SELECT "id" FROM "task" WHERE rowid > 1)
        """, notes: [10, 10, 30, 100])
      let largest = Task.select(max(note))
      try expectUpdate(
        of: Task.filter(id > 2), note.set(to: largest), in: db,
        """
        UPDATE "task" SET "note" = (SELECT MAX("note") FROM "task") FROM (SELECT 1 AS "grdb_row") \
        WHERE "task"."id" IN (SELECT "id" FROM "task" WHERE "id" > ?)
        """, notes: [10, 10, 100, 100])
    }
  }

  /// SQLite evaluates the subquery for the second row, when the first one is updated.
  @Test(arguments: 0..<9)
  func `conditions that are not evaluated for the first row see no row that is updated`(
    form: Int
  ) throws {
    let done = Task.filter(isDone == true)
    let list = CommonTableExpression<Row>(named: "list", request: done.select(id))
    let (request, expected): (QueryInterfaceRequest<Task>, [Int]) =
      switch form {
      case 0: (Task.filter(note == 10 || note == Task.select(min(note)) + 30), [1, 4])
      case 1: (Task.filter(note == 10 || done.exists()), [1])
      case 2: (Task.filter(note == 10 || done.select(id).contains(previous)), [1])
      case 3: (Task.filter(!(note > 10 && done.select(count(id)) == 0)), [1])
      case 4: (Task.filter((previous - 2 > 0 && previous == nil) ?? done.exists()), [])
      case 5: (Task.filter(!Table<Row>("openId").filter(Column("open") == previous).exists()), [1])
      case 6: (Task.with(list).filter(note == 10 || list.contains(previous)), [1])
      case 7: (Task.filter(sql: "note = 10 OR id IN (SELECT 2 FROM task WHERE isDone)"), [1])
      default: (Task.filter(sql: "id = 1 OR id NOT IN openId"), [1])
      }
    try withTasks { db throws in
      try db.execute(sql: "CREATE VIEW openId AS SELECT id AS open FROM task WHERE isDone = 0")
      #expect(try Int.fetchAll(db, request.select(id)) == expected)
      #expect(
        try request.updateAll(db, isDone.set(to: true), note.set(to: 0)) == expected.count)
      #expect(try Int.fetchAll(db, done.select(id)) == expected)
    }
  }

  @Test func `values that are not evaluated for the first row see no row that is updated`() throws {
    try withTasks { db throws in
      try db.execute(sql: "UPDATE task SET previous = nullif(id - 1, 1)")
      try Task.updateAll(db, note.set(to: (previous * 1000) ?? Task.select(max(note))))
      #expect(try Int.fetchAll(db, Task.order(id).select(note)) == [0, 40, 2000, 3000])
    }
  }

  @Test func `SQL written by hand has the rowid without the name of its table`() throws {
    let value = SQL("rowid + (SELECT MAX(note) FROM task)").sqlExpression
    try withTasks { db throws in
      try expectUpdate(
        of: Task.all(), note.set(to: value), in: db,
        """
        UPDATE "task" SET "note" = "grdb_values"."value0" FROM (SELECT "id" AS "key0", \
        rowid + (SELECT MAX(note) FROM task) AS "value0" FROM "task") "grdb_values" \
        WHERE "task"."id" = "grdb_values"."key0"
        """, notes: [41, 42, 43, 44])
      let text = SQL("rowid + (SELECT MAX(t.note) FROM task t WHERE t.id < job.id)").sqlExpression
      let last = Task.aliased(TableAlias(name: "job")).filter(sql: "rowid > 1").order(id.desc)
      let statement = try last.limit(2).updateAndFetchStatement(
        db, [note.set(to: text), isDone += 1], selection: [SQL("rowid * 100 + note").sqlExpression])
      #expect(try Set(Int.fetchAll(statement)) == [345, 447])
      #expect(try Int.fetchAll(db, Task.order(id).select(note)) == [41, 42, 45, 47])
      #expect(try Int.fetchAll(db, Task.order(id).select(isDone)) == [0, 0, 1, 1])
      // An aggregate would make one row of all.
      let sum = SQL("rowid + SUM(note) + (SELECT MAX(note) FROM task)").sqlExpression
      #expect(throws: DatabaseError.self) { try Task.all().updateAll(db, note.set(to: sum)) }
      #expect(try Int.fetchAll(db, Task.order(id).select(note)) == [41, 42, 45, 47])
    }
  }

  /// SQLite computes an aggregate of columns of the updated table in the update, whichever subquery
  /// calls it.
  @Test(arguments: 0..<4)
  func `values that SQLite refuses in an update are refused where they read the table`(
    form: Int
  ) throws {
    let value: any SQLExpressible =
      switch form {
      case 0: Task.select(sum(task[note]))
      case 1: SQL("(SELECT SUM(task.note) FROM task t)").sqlExpression
      case 2: sum(note) + Task.select(max(note))
      default: SQL("row_number() OVER (ORDER BY id) + (SELECT COUNT(*) FROM task)").sqlExpression
      }
    try withTasks { db throws in
      #expect(throws: DatabaseError.self) {
        try Task.aliased(task).updateAll(db, note.set(to: value))
      }
      #expect(try Int.fetchAll(db, Task.order(id).select(note)) == [10, 20, 30, 40])
    }
  }

  @Test func `the values of a table with a column named like a number`() throws {
    try withTasks { db throws in
      try db.execute(sql: #"CREATE TABLE "grade" ("1", "2"); INSERT INTO "grade" VALUES (3, 4)"#)
      let value = SQL(#""1" + (SELECT MAX("2") FROM "grade")"#).sqlExpression
      try Table<Row>("grade").updateAll(db, Column("2").set(to: value))
      #expect(try Int.fetchAll(db, sql: #"SELECT "2" FROM "grade""#) == [7])
    }
  }

  @Test func `values of a view see no row that its triggers update`() throws {
    let (open, row) = (Table<Row>("openTask"), TableAlias<Row>())
    for source in ["openTask", "task"] {
      try withTasks { db throws in
        try db.execute(
          sql: """
            CREATE TRIGGER updating INSTEAD OF UPDATE ON openTask
            BEGIN UPDATE task SET note = NEW.note WHERE id = NEW.id; END
            """)
        let sum = Table<Row>(source).filter(id <= row[id]).select(Quarry.sum(note))
        try open.all().aliased(row).filter(id > 1).updateAll(db, note.set(to: sum))
        #expect(try Int.fetchAll(db, Task.order(id).select(note)) == [10, 30, 60, 100])
      }
    }
  }

  @Test func `a view with the name of a table function reads updated rows`() throws {
    try withTasks { db throws in
      try db.execute(sql: "CREATE VIEW json_tree AS SELECT * FROM task")
      let last = Task.filter(sql: "note = 10 OR note = (SELECT MAX(note) FROM json_tree)")
      #expect(try last.updateAll(db, note.set(to: 50)) == 2)
    }
  }

  @Test func `rows whose rowid has no name are collected with their values`() throws {
    try withTasks { db throws in
      try db.execute(
        sql: """
          CREATE TABLE item (note, rowid, oid, _rowid_);
          INSERT INTO item VALUES (1, 10, 0, 0), (2, 20, 0, 0), (3, 30, 0, 0);
          """)
      let items = Table<Row>("item")
      let last = items.filter(note == 1 || note == items.select(max(note)))
      #expect(try last.updateAll(db, note.set(to: 4)) == 2)
      let value = SQL("rowid + (SELECT SUM(note) FROM item)").sqlExpression
      try items.filter(note > 2).updateAll(db, note.set(to: value))
      #expect(try Int.fetchAll(db, items.order(Column("rowid")).select(note)) == [20, 2, 40])
    }
  }

  @Test(arguments: [nil, "job"])
  func `a common table expression with the name of the updated table`(name: String?) throws {
    let job = TableAlias<Task>(name: name)
    let expression = CommonTableExpression<Row>(
      named: "task", request: SQLRequest<Row>(sql: "SELECT 1 AS id"))
    let previousOne = Table<Row>("task").filter(id == job[previous])
    try withTasks { db throws in
      let request = Task.with(expression).aliased(job).filter(previousOne.exists())
      #expect(try request.updateAll(db, note.set(to: 7)) == 1)
      #expect(try Int.fetchAll(db, Task.order(id).select(note)) == [10, 7, 30, 40])
      #expect(try request.order(id.desc).limit(1).updateAll(db, note.set(to: 8)) == 1)
      #expect(try Int.fetchAll(db, Task.order(id).select(note)) == [10, 8, 30, 40])
    }
  }

  @Test func `SQL names the updated table by its schema beside a table expression of its name`()
    throws
  {
    let expression = CommonTableExpression<Row>(named: "task", sql: "SELECT 1 AS one")
    let sum = SQL("(SELECT SUM(t.note) FROM main.task t WHERE t.id <= task.id)").sqlExpression
    try withTasks { db throws in
      try Task.with(expression).updateAll(db, note.set(to: sum))
      #expect(try Int.fetchAll(db, Task.order(id).select(note)) == [10, 30, 60, 100])
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
