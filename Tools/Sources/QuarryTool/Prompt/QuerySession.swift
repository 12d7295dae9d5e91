import Quarry

/// Statements and commands, one after the other: those of a prompt, or of standard input.
struct QuerySession {
  let query: Query
  private let queue: DatabaseQueue
  private var format: RowFormat
  /// The lines of a statement that is not complete.
  private(set) var text = ""

  init(query: Query, queue: DatabaseQueue) {
    self.query = query
    self.queue = queue
    format = query.format
  }

  /// Adds a line, and runs the statement that it completes, or the command that it is. After an
  /// error, the next line begins a statement.
  ///
  /// - returns: false after `.quit`.
  mutating func enter(_ line: String) throws -> Bool {
    if DotCommand.isCommand(line), StatementScanner.state(of: text) == .blank {
      text = ""
      return try run(DotCommand(line))
    }
    text += line
    if StatementScanner.state(of: text) == .complete { try finish() }
    return true
  }

  /// Runs what is there, complete or not.
  mutating func finish() throws {
    let sql = text
    text = ""
    try access { db in try query.run(sql, db, format) }
  }

  mutating func clear() { text = "" }

  private func access(_ body: (Database) throws -> Void) throws {
    do {
      try queue.inDatabase(body)
    } catch {
      throw query.readable(error)
    }
  }

  /// Returns false for the end.
  private mutating func run(_ command: DotCommand) throws -> Bool {
    switch command {
    case .tables: try access(showTables)
    case .schema(let table): try access { db in try showSchema(db, table) }
    case .format(let format): self.format = format
    case .help: Output.line(DotCommand.list)
    case .quit: return false
    }
    return true
  }

  private func showTables(_ db: Database) throws {
    for table in try Catalog(db).tables where table.kind != .shadow {
      Output.line(table.name.onOneLine)
    }
  }

  /// The statements of a table, of its indexes and triggers, or of all of them.
  private func showSchema(_ db: Database, _ name: String) throws {
    let catalog = try Catalog(db)
    let table = try name.isEmpty ? nil : catalog.table(name, path: query.file.file)
    let shadows = Set(catalog.tables.filter { $0.kind == .shadow }.map(\.name.nameKey))
    let objects = try Row.fetchAll(
      db,
      sql: #"""
        SELECT tbl_name, sql FROM sqlite_master
        WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY rowid
        """#)
    for object in objects {
      let owner = try object.decode(String.self, atIndex: 0)
      guard table.map({ $0.name.isSameName(as: owner) }) ?? !shadows.contains(owner.nameKey) else {
        continue
      }
      Output.line(try object.decode(String.self, atIndex: 1) + ";")
    }
  }
}
