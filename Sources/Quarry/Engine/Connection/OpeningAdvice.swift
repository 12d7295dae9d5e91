import Foundation

/// The reason why a file can't be opened: SQLite reports no more than `unable to open database
/// file`.
enum OpeningAdvice {
  static func text(_ path: String, isReadOnly: Bool) -> String? {
    guard !path.isEmpty, !path.hasPrefix("file:") else { return nil }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let files = FileManager.default
    if isFolder(path) { return "this is a folder: add the name of a file to its path" }
    if files.fileExists(atPath: path) {
      return files.isReadableFile(atPath: path) ? nil : "the process may not read the file"
    }
    if !isFolder(folder) {
      return "the folder `\(folder)` does not exist: create it before, as "
        + "`FileManager.createDirectory` does"
    }
    if isReadOnly { return "the file does not exist, and a `readonly` connection creates none" }
    return files.isWritableFile(atPath: folder)
      ? nil : "the process may not create files in the folder `\(folder)`"
  }

  private static func isFolder(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }
}
