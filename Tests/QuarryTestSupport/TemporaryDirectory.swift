import Foundation

/// Calls `body` with the path of a new directory, which is removed afterwards.
public func withTemporaryDirectory<T>(_ body: (String) throws -> T) throws -> T {
  let path = try makeTemporaryDirectory()
  defer { removeTemporaryDirectory(path) }
  return try body(path)
}

/// Calls `body` with the path of a new directory, which is removed afterwards.
public func withTemporaryDirectory<T>(_ body: (String) async throws -> T) async throws -> T {
  let path = try makeTemporaryDirectory()
  defer { removeTemporaryDirectory(path) }
  return try await body(path)
}

private func makeTemporaryDirectory() throws -> String {
  let path = NSTemporaryDirectory() + "/quarry-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  return path
}

private func removeTemporaryDirectory(_ path: String) {
  try? FileManager.default.removeItem(atPath: path)
}
