import QuarryTestSupport

/// Makes SQL that is nearly right.
struct RandomSQL {
  var random: SplitMix64

  private static let names = ["t", "u", "a", "b", "c", "rowid", "x", "\"a b\"", "main.t", "t.a"]
  private static let operators = [
    "+", "-", "*", "/", "%", "||", "=", "<>", "<", ">=", "IS", "IS NOT", "LIKE", "GLOB", "AND",
    "OR", "&", "<<", "->>", "COLLATE",
  ]
  private static let functions = [
    "abs", "max", "min", "count", "sum", "length", "upper", "hex", "quote", "typeof", "coalesce",
    "substr", "date", "datetime", "julianday", "json", "json_extract", "group_concat", "nosuch",
    "row_number",
  ]

  mutating func statements() -> String {
    switch random.below(10) {
    case 0: return random.text(upTo: 60)
    case 1: return String(decoding: random.bytes(random.below(60)), as: UTF8.self)
    case 2: return salad()
    case 3:
      let count = 1 + random.below(3)
      return (0..<count).map { _ in statement() }.joined(separator: random.pick([";", "; ", " "]))
    case 4: return mutated(statement())
    default: return statement()
    }
  }

  private mutating func mutated(_ sql: String) -> String {
    var bytes = Array(sql.utf8)
    for _ in 0...random.below(3) where !bytes.isEmpty {
      let position = random.below(bytes.count)
      switch random.below(3) {
      case 0: bytes[position] = UInt8(random.below(256))
      case 1: bytes.remove(at: position)
      default: bytes.insert(random.pick(Array("(),;'\"?:*-\0".utf8)), at: position)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func salad() -> String {
    let words: [String] = random.pick([Self.names, Self.operators, Self.words])
    return (0..<random.below(15)).map { _ in random.pick(words + Self.words) }
      .joined(separator: " ")
  }

  private static let words: [String] = [
    "SELECT", "FROM", "WHERE", "(", ")", ",", "*", "?", ":a", "1", "'x'", "NULL", "GROUP BY",
    "ORDER BY", "LIMIT", "JOIN", "UNION", "WITH", "AS", "VALUES", "INSERT INTO", "UPDATE",
    "SET", "DELETE FROM", "CASE", "WHEN", "THEN", "END", "EXISTS", "IN", "--", "/*", "*/", ";",
    "OVER", "RETURNING", "BEGIN", "COMMIT", "SAVEPOINT x", "ROLLBACK", "EXPLAIN",
  ]

  private mutating func statement() -> String {
    switch random.below(12) {
    case 0: "INSERT INTO \(name()) VALUES (\(list()))"
    case 1: "INSERT OR REPLACE INTO t (a, b) SELECT \(expression()), \(expression()) FROM t LIMIT 3"
    case 2: "UPDATE \(name()) SET \(name()) = \(expression()) WHERE \(expression())"
    case 3: "DELETE FROM \(name()) WHERE \(expression()) RETURNING \(list())"
    case 4: random.pick(Self.definitions)
    case 5: "PRAGMA \(random.pick(["table_info", "index_list", "nosuch", "user_version"]))(t)"
    case 6: "WITH n AS (\(select())) SELECT \(list()) FROM n, t LIMIT 20"
    case 7: random.pick(["EXPLAIN ", "EXPLAIN QUERY PLAN ", "VALUES (1), "]) + select()
    default: select()
    }
  }

  private static let definitions = [
    "CREATE TABLE IF NOT EXISTS u (a, b, c)", "CREATE TABLE t (a)", "DROP TABLE IF EXISTS u",
    "ALTER TABLE t ADD COLUMN x", "ALTER TABLE t DROP COLUMN x", "CREATE INDEX i ON t(b)",
    "DROP INDEX i", "CREATE VIEW v AS SELECT * FROM t", "DROP VIEW v", "REINDEX", "ANALYZE",
    "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "RELEASE s", "ROLLBACK TO s", "VACUUM",
  ]

  private mutating func select() -> String {
    var sql = "SELECT \(list()) FROM \(name())"
    if random.chance(3) { sql += " LEFT JOIN u ON \(expression())" }
    if random.chance(2) { sql += " WHERE \(expression())" }
    if random.chance(4) { sql += " GROUP BY \(list()) HAVING \(expression())" }
    if random.chance(5) { sql += " UNION SELECT \(list())" }
    if random.chance(3) { sql += " ORDER BY \(list())" }
    if random.chance(3) { sql += " LIMIT \(expression())" }
    return sql
  }

  private mutating func name() -> String { random.pick(Self.names) }

  private mutating func list() -> String {
    if random.chance(4) { return "*" }
    return (0...random.below(3)).map { _ in expression() }.joined(separator: ", ")
  }

  private mutating func expression(depth: Int = 0) -> String {
    if depth > 3 { return atom() }
    return switch random.below(8) {
    case 0: "(\(expression(depth: depth + 1)) \(random.pick(Self.operators)) \(atom()))"
    case 1: "\(random.pick(Self.functions))(\(expression(depth: depth + 1)))"
    case 2: "\(random.pick(Self.functions))(\(atom()), \(expression(depth: depth + 1)))"
    case 3: "CASE WHEN \(atom()) THEN \(expression(depth: depth + 1)) ELSE \(atom()) END"
    case 4: "\(atom()) IN (SELECT \(atom()) FROM t)"
    default: atom()
    }
  }

  private mutating func atom() -> String {
    switch random.below(8) {
    case 0: "?"
    case 1: random.pick([":a", "@b", "$a", ":é", "?2", "?1"])
    case 2: "\(random.int64())"
    case 3: "'\(random.text().replacing("'", with: "''"))'"
    case 4: random.pick(["NULL", "1.5e3", "X'0102FF'", "TRUE", "CURRENT_TIMESTAMP", "9e999"])
    default: name()
    }
  }
}
