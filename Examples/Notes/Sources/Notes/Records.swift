import Foundation
import Quarry

struct Note: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var title: String
  var body: String
  var changed: Date

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let changed = Column(CodingKeys.changed)
  }

  static let tags = hasMany(NoteTag.self, key: "tags")

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct NoteTag: Codable, Equatable, FetchableRecord, PersistableRecord {
  var noteId: Int64
  var name: String

  enum Columns {
    static let name = Column(CodingKeys.name)
  }
}

/// The full-text index, which has the rowids of the notes.
struct NoteIndex: TableRecord {
  static let note = belongsTo(Note.self, using: ForeignKey([Column.rowID], to: [Column("id")]))
}

/// A note with its tags.
struct TaggedNote: Decodable, Equatable, FetchableRecord {
  var note: Note
  var tags: [NoteTag]
}

/// A note that a search has found, with an extract: the words that were found are in brackets.
struct Hit: Decodable, FetchableRecord {
  var note: TaggedNote
  var extract: String

  init(row: Row) throws {
    let note: Note = try row.decode(forKey: "note")
    let tags: [NoteTag] = try row.decode(forKey: "tags")
    self.note = TaggedNote(note: note, tags: tags)
    extract = try row.decode(forColumn: "extract")
  }
}
