// The connections and values that examples name without declaring them. Nothing runs.

import Foundation
import Quarry

var db: Database { fatalError() }
var dbQueue: DatabaseQueue { fatalError() }
var dbPool: DatabasePool { fatalError() }
var reader: any DatabaseReader { fatalError() }
var writer: any DatabaseWriter { fatalError() }
var statement: Statement { fatalError() }
var row: Row { fatalError() }
var migrator: DatabaseMigrator {
  get { DatabaseMigrator() }
  set {}
}
var configuration: Configuration {
  get { Configuration() }
  set {}
}

let path = "/path/to/library.sqlite"
let id: Int64 = 1
let name = "Alice"
let bytes: [UInt8] = [1, 2, 3]
let data = Data()
