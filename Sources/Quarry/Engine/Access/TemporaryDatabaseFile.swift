import Foundation

/// A database file in the temporary directory, which is deleted together with this object.
final class TemporaryDatabaseFile: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "/Quarry-\(UUID().uuidString).sqlite"
    // It may be a copy of a database that others can't read. SQLite gives its permissions to the
    // log.
    _ = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
  }

  deinit {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}
