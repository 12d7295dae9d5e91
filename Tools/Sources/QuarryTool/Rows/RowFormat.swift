import ArgumentParser
import Quarry

/// How rows are written.
enum RowFormat: String, ExpressibleByArgument, CaseIterable {
  case box, csv, json, jsonl

  func writer(width: Int, null: String) -> any RowWriter {
    switch self {
    case .box: BoxWriter(maximumWidth: width)
    case .csv: CSVWriter(null: null)
    case .json: JSONWriter(isArray: true)
    case .jsonl: JSONWriter(isArray: false)
    }
  }
}

/// Writes rows one by one, so that a huge table needs no more memory than a small one.
protocol RowWriter {
  mutating func begin(_ columns: [String], to file: inout TextFile)
  mutating func write(_ values: [DatabaseValue], to file: inout TextFile)
  mutating func end(to file: inout TextFile)
}

/// The options of commands that write rows.
struct RowOptions: ParsableArguments {
  @Option(help: "The widest column of a box; 0 for no limit.")
  var width: Int = 60

  @Option(help: "The CSV field for NULL.")
  var null: String = ""
}

/// Writes the rows of a statement.
struct RowPrinter {
  var format: RowFormat
  var options: RowOptions
  var file: TextFile
  private(set) var invalidTexts = 0

  init(_ format: RowFormat, _ options: RowOptions, path: String? = nil) throws {
    self.format = format
    self.options = options
    file = try TextFile(path: path)
  }

  /// - returns: the number of rows.
  @discardableResult
  mutating func print(_ statement: Statement, progress: ProgressBar? = nil) throws -> Int {
    let columns = statement.columnNames
    var writer = format.writer(width: options.width, null: options.null)
    writer.begin(columns, to: &file)
    let rows = try Row.fetchCursor(statement)
    var count = 0
    while let row = try rows.next() {
      let values = Array(row.databaseValues)
      for index in values.indices where row.hasInvalidText(values[index], at: index) {
        invalidTexts += 1
      }
      writer.write(values, to: &file)
      try file.flush()
      count += 1
      progress?.advance(to: count)
    }
    writer.end(to: &file)
    return count
  }

  /// Closes the file, and says on standard error how many texts were repaired.
  mutating func close() throws {
    try file.close()
    guard invalidTexts > 0 else { return }
    Output.note(
      "\(invalidTexts.counted("text")) not in UTF-8: wrong bytes are written as U+FFFD")
  }
}

extension Row {
  /// Whether the text that was read differs from the bytes that are stored.
  fileprivate func hasInvalidText(_ value: DatabaseValue, at index: Int) -> Bool {
    guard case .string(let text) = value.storage, text.unicodeScalars.contains("\u{FFFD}") else {
      return false
    }
    let isSame = try? withUnsafeData(atIndex: index) { $0?.elementsEqual(text.utf8) }
    return isSame == false
  }
}
