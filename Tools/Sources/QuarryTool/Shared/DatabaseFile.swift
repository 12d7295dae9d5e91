import ArgumentParser
import Foundation
import Quarry

/// The database file of a command.
struct FileOptions: ParsableArguments {
  @Argument(help: "The database file.", completion: .file())
  var file: String

  @Option(help: "How many seconds to wait for a locked file.")
  var timeout: Double = 5

  var database: DatabaseFile { DatabaseFile(path: file, timeout: timeout) }
}

/// A database file, opened for the time of a closure. Errors name the file.
struct DatabaseFile {
  var path: String
  var timeout = 5.0
  /// Whether `"text"` is a text where there is no such column: schemas of other programs may rely
  /// on it.
  var acceptsQuotedTexts = true

  /// Reads one state of the database, which exists.
  func read<T>(_ body: (Database) throws -> T) throws -> T {
    try open(readonly: true) { queue in try queue.read(body) }
  }

  /// Writes in a transaction: all or nothing.
  func write<T>(creating: Bool = false, _ body: (Database) throws -> T) throws -> T {
    try open(readonly: false, creating: creating) { queue in try queue.write(body) }
  }

  /// Opens the file, outside of transactions.
  func open<T>(
    readonly: Bool, creating: Bool = false, _ body: (DatabaseQueue) throws -> T
  ) throws -> T {
    do {
      if !creating { try checkExists() }
      return try body(DatabaseQueue(path: Self.plain(path), configuration: configuration(readonly)))
    } catch let error where !Self.isForTheParser(error) {
      throw ToolError(error, path: path)
    }
  }

  private func configuration(_ readonly: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = readonly
    configuration.busyMode = .timeout(timeout)
    configuration.acceptsDoubleQuotedStringLiterals = acceptsQuotedTexts
    configuration.allowsUnsafeTransactions = true
    configuration.publicStatementArguments = true
    return configuration
  }

  func checkExists() throws {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw ToolError("\(path): no such file")
    }
    if isDirectory.boolValue { throw ToolError("\(path): a directory, and no file") }
  }

  /// Whether a path leads to this file, however it is spelled, or through links.
  func isSameFile(as other: String) -> Bool {
    var status = stat()
    var otherStatus = stat()
    guard stat(path, &status) == 0, stat(other, &otherStatus) == 0 else { return false }
    return status.st_dev == otherStatus.st_dev && status.st_ino == otherStatus.st_ino
  }

  /// The path for SQLite: a file may be called `:memory:`, or `file:x`.
  static func plain(_ path: String) -> String {
    path.hasPrefix(":") || path.hasPrefix("file:") ? "./\(path)" : path
  }

  private static func isForTheParser(_ error: any Error) -> Bool {
    error is ExitCode || error is CleanExit || error is ValidationError
  }
}
