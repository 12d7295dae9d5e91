import Foundation
import Quarry

/// Imports a file in batches. Each batch is a transaction: its sales, its rejected lines, and the
/// place in the file. So whatever stops the program, the next run goes on exactly there.
struct Importer {
  enum Failure: Error, Equatable, CustomStringConvertible {
    case unreadable(file: String, reason: String)
    case wrongColumns(file: String)
    case changed(file: String)

    var description: String {
      switch self {
      case .unreadable(let file, let reason): "\(file): can't be read: \(reason)"
      case .wrongColumns(let file):
        "\(file):1: the columns are not \(Sale.columns.joined(separator: ","))"
      case .changed(let file):
        "\(file): has another size than when its import began (--again imports it from its beginning)"
      }
    }
  }

  var database: any DatabaseWriter
  var path: String
  var batchSize = 10_000

  /// Imports what is not imported yet.
  ///
  /// - parameter progress: is called after each batch. An error that it throws ends the import.
  /// - returns: the file at the end.
  func run(progress: (ImportedFile) throws -> Void = { _ in }) throws -> ImportedFile {
    try DatabaseMigrator.shop.migrate(database)
    let handle = try open()
    defer { try? handle.close() }
    var file = try start(handle)
    var lines = try CSVLines(handle, offset: file.offset, number: file.line)
    while !file.isComplete {
      try importBatch(from: &lines, of: &file)
      try progress(file)
    }
    return file
  }

  /// Deletes what was imported from the file.
  func forget() throws {
    try DatabaseMigrator.shop.migrate(database)
    _ = try database.write { db in
      try ImportedFile.deleteOne(db, key: ["path": path])  // cascades to sales and rejected lines
    }
  }

  /// Calls a function for each rejected line, in the order of the file: there may be many.
  func forEachRejectedLine(of file: ImportedFile, _ body: (RejectedLine) throws -> Void) throws {
    try database.read { db in
      let lines = file.request(for: ImportedFile.rejectedLines).orderByPrimaryKey()
      try lines.fetchCursor(db).forEach(body)
    }
  }

  /// The file as an earlier run has left it, or as it is before its first line.
  private func start(_ handle: FileHandle) throws -> ImportedFile {
    let size = try Int64(handle.seekToEnd())
    let known = try database.read { db in try ImportedFile.fetchOne(db, key: ["path": path]) }
    if let known {
      guard known.size == size else { throw Failure.changed(file: path) }
      return known
    }
    var lines = try CSVLines(handle)
    guard let header = try lines.next(),
      (try? CSVLines.fields(header.trimmingPrefix([0xEF, 0xBB, 0xBF]))) == Sale.columns
    else {
      throw Failure.wrongColumns(file: path)
    }
    let file = ImportedFile(path: path, size: size, offset: lines.offset, line: lines.number)
    return try database.write { db in try file.inserted(db) }
  }

  private func open() throws -> FileHandle {
    let descriptor = Foundation.open(path, O_RDONLY)
    var byte: UInt8 = 0
    // A directory can be opened, and not read.
    guard descriptor >= 0, read(descriptor, &byte, 1) >= 0 else {
      throw Failure.unreadable(file: path, reason: String(cString: strerror(errno)))
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  private func importBatch(from lines: inout CSVLines, of file: inout ImportedFile) throws {
    var batch = Batch()
    while batch.count < batchSize {
      let number = lines.number
      guard let line = try lines.next() else { break }
      if line.isEmpty { continue }
      do {
        batch.sales.append((number, try Sale(CSVLines.fields(line), file: file.id)))
      } catch let mistake as Sale.Mistake {
        batch.reject(number, mistake.reason, of: file)
      }
    }
    guard lines.offset > file.offset else { throw Failure.changed(file: path) }
    file.offset = lines.offset
    file.line = lines.number
    try save(&batch, of: &file)
  }

  private func save(_ batch: inout Batch, of file: inout ImportedFile) throws {
    try database.write { db in
      do {
        try Sale.insert(db, contentsOf: batch.sales.map(\.sale))
      } catch DatabaseError.SQLITE_CONSTRAINT {
        // The schema refuses at least one, so none of them is inserted.
        try insertOneByOne(&batch, of: file, db)
      }
      try RejectedLine.insert(db, contentsOf: batch.rejected)
      file.importedCount += batch.sales.count
      file.rejectedCount += batch.rejected.count
      try file.update(db)
    }
  }

  private func insertOneByOne(
    _ batch: inout Batch, of file: ImportedFile, _ db: Database
  ) throws {
    let sales = batch.sales
    batch.sales = []
    for (line, sale) in sales {
      do {
        try sale.insert(db)
        batch.sales.append((line, sale))
      } catch DatabaseError.SQLITE_CONSTRAINT_PRIMARYKEY {
        batch.reject(line, "receipt: '\(sale.receipt)' is there already", of: file)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        batch.reject(line, error.message ?? error.description, of: file)
      }
    }
  }
}

/// The lines of one transaction.
private struct Batch {
  var sales: [(line: Int, sale: Sale)] = []
  var rejected: [RejectedLine] = []

  var count: Int { sales.count + rejected.count }

  mutating func reject(_ line: Int, _ reason: String, of file: ImportedFile) {
    rejected.append(RejectedLine(importedFileId: file.id, line: line, reason: reason))
  }
}
