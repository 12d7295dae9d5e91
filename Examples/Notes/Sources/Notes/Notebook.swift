import Foundation
import Quarry
import QuarryTables

/// The notes of a database: all that the program knows about SQLite is in here.
struct Notebook {
  struct NoSuchNote: Error, CustomStringConvertible {
    var id: Int64
    var description: String { "There is no note \(id)." }
  }

  private let database: DatabaseQueue

  /// Opens a file, and makes it if it is not there.
  init(path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)  // another process may be writing
    try self.init(DatabaseQueue(path: path, configuration: configuration))
  }

  init(_ database: DatabaseQueue) throws {
    self.database = database
    try DatabaseMigrator.notebook.migrate(database)
  }

  func add(title: String, text: String, tags: [String], now: Date = Date()) throws -> TaggedNote {
    try database.write { db in
      try Note(title: title, text: text, changed: now).insert(db)
      let id = db.lastInsertedRowID
      try Self.setTags(tags, ofNote: id, db)
      return try Self.find(id, db)
    }
  }

  /// Changes what is given, and leaves the rest.
  func edit(
    _ id: Int64, title: String? = nil, text: String? = nil, tags: [String]? = nil,
    now: Date = Date()
  ) throws -> TaggedNote {
    try database.write { db in
      var note = try Self.find(id, db).note
      try note.updateChanges(db) { note in
        note.title = title ?? note.title
        note.text = text ?? note.text
        note.changed = now
      }
      if let tags { try Self.setTags(tags, ofNote: id, db) }
      return try Self.find(id, db)
    }
  }

  func delete(_ id: Int64) throws {
    let isDeleted = try database.write { db in try Note.deleteOne(db, id: id) }
    guard isDeleted else { throw NoSuchNote(id: id) }
  }

  func note(_ id: Int64) throws -> TaggedNote {
    try database.read { db in try Self.find(id, db) }
  }

  /// The notes with a tag, or all of them, those that were changed last first.
  func notes(tag: String? = nil) throws -> [TaggedNote] {
    try database.read { db in
      var request = Note.all().withTags().order { $0.changed.desc }
      if let tag {
        let wanted = Note.tags.filter { $0.name == tag }.forKey("wanted")
        request = request.joining(required: wanted)
      }
      return try TaggedNote.fetchAll(db, request)
    }
  }

  /// The notes that have all words, the last of which may be a beginning. The best ones come first;
  /// a word in the title counts as ten in the text.
  func search(
    _ words: String, limit: Int = 20, marks: (open: String, close: String) = ("[", "]")
  ) throws -> [Finding] {
    let pattern = FTS5Pattern(matchingAllTokensIn: words, lastTokenAsPrefix: true)
    let title = FTS5.highlight("title", open: marks.open, close: marks.close)
    let extract = FTS5.snippet("text", open: marks.open, close: marks.close, tokenCount: 12)
    return try database.read { db in
      let request = NoteIndex.matching(pattern)
        .order(FTS5.bm25(weights: ["title": 10]))
        .limit(limit)
        // The rowid leads to the note, and to its tags.
        .select(Column.rowID, title.forKey("markedTitle"), extract.forKey("extract"))
        .including(required: NoteIndex.note.withTags())
      return try Finding.fetchAll(db, request)
    }
  }

  private static func find(_ id: Int64, _ db: Database) throws -> TaggedNote {
    guard let note = try TaggedNote.fetchOne(db, Note.filter(id: id).withTags()) else {
      throw NoSuchNote(id: id)
    }
    return note
  }

  private static func setTags(_ names: [String], ofNote id: Int64, _ db: Database) throws {
    try Tag.filter { $0.noteId == id }.deleteAll(db)
    for name in names {
      try Tag(noteId: id, name: name).upsert(db)  // a tag that is given twice is one tag
    }
  }
}

/// Requests for notes, and associations to them, have this method.
extension JoinableRequest where RowDecoder == Note {
  func withTags() -> Self {
    including(all: Note.tags.order { $0.name })
  }
}
