import Foundation
import QuarryTestSupport

/// Calls `body` with a folder of files.
func withFolder<T>(_ files: [String: String], _ body: (URL) throws -> T) throws -> T {
  try withTemporaryDirectory { path in
    let url = URL(fileURLWithPath: path, isDirectory: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: url.appendingPathComponent(name))
    }
    return try body(url)
  }
}
