import Foundation
import Quarry

/// A music shop from elsewhere: 11 tables, a compound key, a self join.
///
/// The tests run where the file is: `shared/data/chinook.sqlite` beside the checkout, or the path
/// in the environment variable `CHINOOK_DATABASE`.
enum Chinook {
  static let path: String? = {
    if let path = ProcessInfo.processInfo.environment["CHINOOK_DATABASE"] { return path }
    let checkout = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let path = checkout.deletingLastPathComponent()
      .appendingPathComponent("shared/data/chinook.sqlite").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  static var isPresent: Bool { path != nil }

  static func open() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: path ?? "", configuration: configuration)
  }
}
