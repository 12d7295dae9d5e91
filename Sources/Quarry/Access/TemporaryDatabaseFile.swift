import Foundation

/// A database file in the temporary directory, which is deleted together with this object.
final class TemporaryDatabaseFile: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "/Quarry-\(UUID().uuidString).sqlite"
  }

  deinit {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}
