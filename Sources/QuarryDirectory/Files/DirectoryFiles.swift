import Foundation

/// The files of a folder.
struct DirectoryFiles: Sendable {
  /// The absolute path, so that the process may change its folder.
  let folder: String

  init(_ path: String) throws(DirectoryError) {
    folder = URL(fileURLWithPath: path).standardizedFileURL.path
    var isFolder: ObjCBool = false
    guard !path.isEmpty, !path.utf8.contains(0),
      unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
      isFolder.boolValue
    else {
      throw DirectoryError(
        .file, "there is no folder \(path.debugDescription): make it, or correct the path")
    }
  }

  func path(for key: String) throws(DirectoryError) -> String {
    // Equal keys in different forms have one file. See <https://unicode.org/reports/tr15/>.
    let composed = key.precomposedStringWithCanonicalMapping
    guard !composed.isEmpty else {
      throw DirectoryError(
        .invalidKey, key: key, "a key of a database has one character at least: name the tenant")
    }
    guard composed == key else {
      throw DirectoryError(
        .invalidKey, key: key,
        "this system can't put its characters into a normal form: take others")
    }
    let name = DatabaseFileName.name(of: composed)
    guard name.utf8.count <= DatabaseFileName.maximumLength else {
      throw DirectoryError(
        .invalidKey, key: key,
        "the name of its file would have \(name.utf8.count) bytes, and "
          + "\(DatabaseFileName.maximumLength) are the most: take a shorter key, such as a digest or a "
          + "number, and keep the long one in the database")
    }
    return folder + "/" + name
  }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  func keys() throws(DirectoryError) -> [String] {
    var keys: [String] = []
    for name in try names() where name.hasSuffix(DatabaseFileName.suffix) && !name.hasPrefix(".") {
      guard let key = DatabaseFileName.key(of: name) else { throw foreignFile(name) }
      keys.append(key)
    }
    return keys.sorted()
  }

  private func names() throws(DirectoryError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw DirectoryError(
        .file, "the folder \(folder) can't be read: check that it is there, and its permissions",
        underlyingError: error)
    }
  }

  private func foreignFile(_ name: String) -> DirectoryError {
    let stem = String(name.dropLast(DatabaseFileName.suffix.count))
      .precomposedStringWithCanonicalMapping
    return DirectoryError(
      .foreignFile,
      "the file \(name.debugDescription) in \(folder) is the database of no key: move it to another "
        + "folder, or name it \(DatabaseFileName.name(of: stem)) for the key \(stem.debugDescription)"
    )
  }

  /// Makes an empty file, which is an empty database. False if there is a file already.
  func create(_ key: String) throws(DirectoryError) -> Bool {
    let path = try path(for: key)
    do {
      try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
      return true
    } catch CocoaError.fileWriteFileExists {
      return false
    } catch {
      throw DirectoryError(
        .file, key: key, "the file \(path) can't be made: check the folder, and its permissions",
        underlyingError: error)
    }
  }

  /// Removes the files of a closed database. The database is first: without it, SQLite deletes a
  /// log or journal that was left, when there is a new one. The reverse order would undo
  /// transactions.
  func remove(_ key: String) throws(DirectoryError) {
    let path = try path(for: key)
    guard exists(path) else { throw DirectoryError(missing: key, path) }
    for suffix in ["", "-wal", "-shm", "-journal"] where suffix.isEmpty || exists(path + suffix) {
      do {
        try FileManager.default.removeItem(atPath: path + suffix)
      } catch CocoaError.fileNoSuchFile where !suffix.isEmpty {
        continue
      } catch {
        throw DirectoryError(
          .file, key: key, "the file \(path + suffix) can't be removed: check its permissions",
          underlyingError: error)
      }
    }
  }
}

extension DirectoryError {
  init(missing key: String, _ path: String) {
    self.init(
      .missing, key: key,
      "there is no database \(path): `create(\(key.debugDescription))` makes it, and with the option "
        + "`createsMissing` each access does")
  }
}
