public import Foundation
public import Quarry

extension Database {
  /// Applies the changes of a file to the main database: all of them, or none.
  ///
  /// ```swift
  /// try dbQueue.write { db in
  ///   try db.applyChanges(contentsOf: URL(fileURLWithPath: "books.changes"))
  /// }
  /// ```
  ///
  /// It is ``Changeset/apply(to:runsTriggers:onConflict:)`` for files of any size, such as those of
  /// ``Quarry/Database/recordChanges(in:schema:to:asPatchset:_:)``: they are read piece by piece,
  /// and one change at a time is in memory, besides what SQLite keeps of conflicts, and some bytes
  /// for each one that is resolved. They are read twice, and once more where deletions come first,
  /// or rows without parents are looked up: first all bytes and tables are checked.
  ///
  /// See <https://www.sqlite.org/session/sqlite3changegroup_add_strm.html>.
  ///
  /// - parameter url: A file.
  /// - parameter runsTriggers: Whether triggers and foreign key actions run.
  /// - parameter onConflict: What happens with a change that can't be applied as it is.
  /// - throws: The errors of ``Changeset/apply(to:runsTriggers:onConflict:)``; ``ChangesetError``
  ///   for a file that is no changeset, or that is changed meanwhile; the error of Foundation for
  ///   one that can't be read.
  public func applyChanges(
    contentsOf url: URL, runsTriggers: Bool = false,
    onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution = { _ in .abort }
  ) throws {
    _ = try applyChangesNotingConflicts(
      contentsOf: url, runsTriggers: runsTriggers, onConflict: onConflict)
  }

  /// Applies the changes of a file, and returns how conflicts were resolved, for
  /// ``Changeset/rebased(on:)``.
  ///
  /// - throws: See ``Quarry/Database/applyChanges(contentsOf:runsTriggers:onConflict:)``.
  public func applyChangesNotingConflicts(
    contentsOf url: URL, runsTriggers: Bool = false,
    onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution
  ) throws -> ChangesetRebase {
    let file = try ChangesetFile(url)
    return try ChangesetApplication(read: file.reader)
      .apply(to: self, runsTriggers: runsTriggers, onConflict: onConflict)
  }
}

/// A file that is read from its beginning, as often as needed.
private struct ChangesetFile {
  private let file: FileHandle
  private let byteCount: Int

  init(_ url: URL) throws {
    file = try FileHandle(forReadingFrom: url)
    byteCount = try Int(file.seekToEnd())
  }

  func reader() -> ChangesetReader {
    let size = 65_536
    // Two readers may take turns.
    var offset: UInt64 = 0
    return ChangesetReader(byteCount: byteCount, pieceSize: size) {
      try file.seek(toOffset: offset)
      let piece = try file.read(upToCount: size) ?? Data()
      offset += UInt64(piece.count)
      return piece
    }
  }
}
