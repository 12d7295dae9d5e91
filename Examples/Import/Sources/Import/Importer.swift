import Foundation
import Quarry

/// Imports a file in batches. Each batch is a transaction with its rows, its rejected lines, and the place in the file.
struct Importer {
  enum Failure: Error, Equatable, CustomStringConvertible {
    case wrongHeader(file: String)
    case changed(file: String)

    var description: String {
      switch self {
      case .wrongHeader(let file):
        "\(file):1: the columns are not \(Sale.header.joined(separator: ","))"
      case .changed(let file):
        "\(file): the file has another size than when its import began"
      }
    }
  }

  var database: any DatabaseWriter
  var path: String
  var batchSize = 5000

  /// Imports what is not imported yet.
  ///
  /// - parameter progress: is called after each batch; an error that it throws ends the import, which goes on there the next time.
  /// - returns: the state at the end.
  func run(progress: (ImportState) throws -> Void = { _ in }) throws -> ImportState {
    try DatabaseMigrator.shop.migrate(database)
    var state = try beginning()
    var lines = try CSVLines(path: path, offset: state.offset, number: state.line)
    while !state.isComplete {
      state = try importBatch(from: &lines, after: state)
      try progress(state)
    }
    return state
  }

  /// The lines that were rejected, in the order of the file.
  func rejectedLines() throws -> [RejectedLine] {
    try database.read { db in
      try RejectedLine.filter { $0.file == path }.order { $0.line }.fetchAll(db)
    }
  }

  /// The state that an earlier run has left, or that after the header.
  private func beginning() throws -> ImportState {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
    if let state = try database.read({ db in try ImportState.fetchOne(db, key: path) }) {
      guard state.size == size else { throw Failure.changed(file: path) }
      return state
    }
    var lines = try CSVLines(path: path)
    guard let header = try lines.next(), try CSVLines.fields(header) == Sale.header else {
      throw Failure.wrongHeader(file: path)
    }
    return ImportState(file: path, size: size, offset: lines.offset, line: lines.number)
  }

  private func importBatch(
    from lines: inout CSVLines, after state: ImportState
  ) throws -> ImportState {
    var sales: [Sale] = []
    var rejected: [RejectedLine] = []
    while sales.count + rejected.count < batchSize {
      let number = lines.number
      guard let line = try lines.next() else { break }
      if line.isEmpty { continue }
      do {
        sales.append(try Sale(CSVLines.fields(line)))
      } catch let mistake as Sale.Mistake {
        rejected.append(RejectedLine(file: path, line: number, reason: mistake.reason))
      }
    }
    var state = state
    state.offset = lines.offset
    state.line = lines.number
    state.imported += sales.count
    state.rejected += rejected.count
    try save(sales, rejected, state)
    return state
  }

  private func save(_ sales: [Sale], _ rejected: [RejectedLine], _ state: ImportState) throws {
    try database.write { db in
      try Sale.insert(db, contentsOf: sales)
      try RejectedLine.insert(db, contentsOf: rejected)
      try state.upsert(db)
    }
  }
}
