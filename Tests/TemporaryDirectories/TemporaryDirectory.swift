import Foundation

/// A new directory, for the files of one test.
public struct TemporaryDirectory: Sendable {
  public let path: String

  /// Creates the directory.
  public init() throws {
    path = NSTemporaryDirectory() + "/quarry-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Removes the directory and its files.
  ///
  /// A connection that another thread closes removes files, too, and `FileManager` stops where a
  /// file is gone: the removal is repeated, for two seconds. `Scripts/test` reports directories
  /// that are left.
  public func remove() {
    for _ in 0..<100 {
      try? FileManager.default.removeItem(atPath: path)
      guard FileManager.default.fileExists(atPath: path) else { return }
      usleep(20_000)
    }
  }
}

/// Calls `body` with the path of a new directory, which is removed afterwards.
public func withTemporaryDirectory<T>(_ body: (String) throws -> T) throws -> T {
  let directory = try TemporaryDirectory()
  defer { directory.remove() }
  return try body(directory.path)
}

/// Calls `body` with the path of a new directory, which is removed afterwards.
public func withTemporaryDirectory<T>(_ body: (String) async throws -> T) async throws -> T {
  let directory = try TemporaryDirectory()
  defer { directory.remove() }
  return try await body(directory.path)
}
