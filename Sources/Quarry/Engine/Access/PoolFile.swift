import Foundation

/// The file of a pool, which readers and snapshots open after the writer.
///
/// Another file may have its name by then. SQLite would read that one together with the write-ahead
/// log of the former one, which has the name of the log: see
/// <https://www.sqlite.org/howtocorrupt.html>. So the pool notes which file its writer has.
final class PoolFile: Sendable {
  let path: String
  private let opened = Locked<(writer: Database, path: String, identity: FileIdentity?)?>(nil)

  init(path: String) { self.path = path }

  /// The path for readers and snapshots.
  var absolutePath: String { opened.withLock { $0?.path } ?? path }

  /// The writer, once it is open.
  var writer: Database? { opened.withLock { $0?.writer } }

  /// Notes the writer and its file.
  func remember(_ writer: Database) {
    let identity = writer.filePath.flatMap(FileIdentity.init)
    opened.withLock { $0 = (writer, writer.absolutePath, identity) }
  }

  /// Throws when the name belongs to another file now. A missing one is SQLite's to report.
  func check() throws {
    guard let identity = opened.withLock({ $0?.identity }), identity.isReplaced else { return }
    throw FilePath.error(
      "the database file has been replaced by another one: close the pool, and open a new one",
      path)
  }
}

/// The number of a file, which stays when it is renamed.
///
/// See <https://pubs.opengroup.org/onlinepubs/9699919799/basedefs/sys_stat.h.html>.
private struct FileIdentity: Sendable {
  let path: String
  private let device: dev_t
  private let number: ino_t

  /// Nil for no file.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.path = path
    device = status.st_dev
    number = status.st_ino
  }

  /// Whether the path is the one of another file.
  var isReplaced: Bool {
    FileIdentity(path).map { $0.device != device || $0.number != number } ?? false
  }
}
