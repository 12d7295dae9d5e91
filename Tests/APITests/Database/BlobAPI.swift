import Foundation
import Quarry
import QuarryBlobs

// What goes beyond the documented names: blobs, serialized databases, limits, window aggregates.

func blobs(_ db: Database) throws {
  let blob: DatabaseBlob = try db.openBlob(table: "file", column: "content", rowID: 1)
  _ = try db.openBlob(
    table: "file", column: "content", rowID: 1, schema: "archive", access: .readWrite)
  let _: (String, String, Int64, Int) = (blob.table, blob.column, blob.rowID, blob.count)
  let _: Data = try blob.read()
  let _: Data = try blob.read(at: 10, count: 5)
  try withUnsafeTemporaryAllocation(byteCount: 5, alignment: 1) { buffer in
    try blob.read(into: buffer, at: 0)
  }
  try blob.write(Data([1, 2, 3]))
  try blob.write([UInt8]([1, 2, 3]), at: 5)
  try blob.reopen(rowID: 2)
  let chunks: DatabaseBlobChunkCursor = blob.chunks(size: 1024)
  let _: Data? = try chunks.next()
  try blob.close()
  let _: Int = try db.withBlob(table: "file", column: "content", rowID: 1) { $0.count }
  let access: DatabaseBlob.Access = .readOnly
  try db.withBlob(table: "file", column: "content", rowID: 1, schema: nil, access: access) { blob in
    try blob.write(Data([1]))
  }
}

func serializedDatabases(_ db: Database) throws {
  let data: Data = try db.serialize()
  _ = try db.serialize(schema: "archive")
  try db.deserialize(data)
  try db.deserialize(data, schema: "archive", readonly: true)
}

func limits(_ db: Database) {
  let limits: [Database.Limit] = [
    .length, .sqlLength, .columnCount, .expressionDepth, .compoundSelectCount, .instructionCount,
    .functionArgumentCount, .attachedDatabaseCount, .patternLength, .statementArgumentCount,
    .triggerDepth, .workerThreadCount, Database.Limit(rawValue: 0),
  ]
  let _: [Int] = limits.map { db.limit($0) }
  db.setLimit(.length, to: 1_000_000)
  let _: Int = db.setLimit(.length, to: 1_000_000)
  let _: CInt = Database.Limit.length.rawValue
}

struct MovingSum: DatabaseWindowAggregate {
  var sum = 0.0

  mutating func step(_ dbValues: [DatabaseValue]) throws {
    sum += Double.fromDatabaseValue(dbValues[0]) ?? 0
  }

  mutating func inverse(_ dbValues: [DatabaseValue]) throws {
    sum -= Double.fromDatabaseValue(dbValues[0]) ?? 0
  }

  func value() throws -> (any DatabaseValueConvertible)? { sum }

  func finalize() throws -> (any DatabaseValueConvertible)? { sum }
}

func windowAggregates(_ db: Database) {
  db.add(function: DatabaseFunction("movingSum", argumentCount: 1, aggregate: MovingSum.self))
}
