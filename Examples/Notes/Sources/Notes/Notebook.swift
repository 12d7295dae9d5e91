import Foundation
import Quarry

/// The notes in a database.
struct Notebook {
  struct NoSuchNote: Error, CustomStringConvertible {
    var id: Int64
    var description: String { "there is no note \(id)" }
  }

  private let database: DatabaseQueue

  /// Opens the file, and makes it if it is not there.
  init(path: String) throws {
    try self.init(DatabaseQueue(path: path))
  }

  init(_ database: DatabaseQueue) throws {
    self.database = database
    try DatabaseMigrator.notes.migrate(database)
  }

  func add(title: String, body: String, tags: [String], now: Date = Date()) throws -> TaggedNote {
    try database.write { db in
      var note = Note(title: title, body: body, changed: now)
      try note.insert(db)
      return try Self.save(note, tags: tags, db)
    }
  }

  /// Changes what is given, and leaves the rest.
  func edit(
    _ id: Int64, title: String?, body: String?, tags: [String]?, now: Date = Date()
  ) throws -> TaggedNote {
    try database.write { db in
      var old = try Self.find(id, db)
      old.note.title = title ?? old.note.title
      old.note.body = body ?? old.note.body
      old.note.changed = now
      try old.note.update(db)
      return try Self.save(old.note, tags: tags ?? old.tags.map(\.name), db)
    }
  }

  func delete(_ id: Int64) throws {
    try database.write { db in
      guard try Note.deleteOne(db, key: id) else { throw NoSuchNote(id: id) }
    }
  }

  func note(_ id: Int64) throws -> TaggedNote {
    try database.read { db in try Self.find(id, db) }
  }

  /// The notes with a tag, or all of them: those that were changed last come first.
  func notes(tag: String? = nil) throws -> [TaggedNote] {
    try database.read { db in
      var request = Note.order { $0.changed.desc }.including(all: Note.tags.order { $0.name })
      if let tag {
        let wanted = NoteTag.filter { $0.name == tag }.select(Column("noteId"))
        request = request.filter { wanted.contains($0.id) }
      }
      return try TaggedNote.fetchAll(db, request)
    }
  }

  /// The notes that have all words, the last of them as the beginning of one: the best ones come first, and a word in
  /// the title is worth ten in the text.
  func search(_ text: String, limit: Int = 20) throws -> [Hit] {
    let pattern = FTS5Pattern(matchingAllTokensIn: text, lastTokenAsPrefix: true)
    return try database.read { db in
      let request =
        NoteIndex
        .matching(pattern)
        .order(FTS5.bm25(weights: ["title": 10]))
        .limit(limit)
        .select(FTS5.snippet(open: "[", close: "]", tokenCount: 12).forKey("extract"))
        .including(required: NoteIndex.note.including(all: Note.tags.order { $0.name }))
      return try Hit.fetchAll(db, request)
    }
  }

  private static func find(_ id: Int64, _ db: Database) throws -> TaggedNote {
    let request = Note.filter { $0.id == id }.including(all: Note.tags.order { $0.name })
    guard let note = try TaggedNote.fetchOne(db, request) else { throw NoSuchNote(id: id) }
    return note
  }

  /// Replaces the tags of a note.
  private static func save(_ note: Note, tags: [String], _ db: Database) throws -> TaggedNote {
    let id = note.id ?? 0
    try note.request(for: Note.tags).deleteAll(db)
    for name in tags { try NoteTag(noteId: id, name: name).insert(db, onConflict: .ignore) }
    return try find(id, db)
  }
}
