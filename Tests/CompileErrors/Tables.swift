// `import QuarryTables` is missing: its tables, tokenizers and methods are in a product of their
// own.

import Quarry

func registerTables(_ db: Database) throws {
  let _ = try CSVTable(path: "sales.csv")  // error: cannot find 'CSVTable' in scope
  try CSVModule.register(on: db)  // error: cannot find 'CSVModule' in scope
  let _ = GenerateSeries()  // error: cannot find 'GenerateSeries' in scope
  let _ = SnowballTokenizer.self  // error: cannot find 'SnowballTokenizer' in scope
  let _: FTS5TokenizerDescriptor = .snowball(.french)  // error: has no member 'snowball'
  try db.register(table: "loan", rows: [1]) { _ in }  // error: 'register' is inaccessible
}
