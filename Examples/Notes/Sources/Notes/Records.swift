import Foundation
import Quarry

/// A row of the table `note`.
struct Note: Codable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64?
  var title: String
  var text: String
  var changed: Date

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let changed = Column(CodingKeys.changed)
  }

  static let tags = hasMany(Tag.self)
}

/// A row of the table `tag`: a note has this tag.
struct Tag: Codable, FetchableRecord, PersistableRecord {
  var noteId: Int64
  var name: String

  enum Columns {
    static let noteId = Column(CodingKeys.noteId)
    static let name = Column(CodingKeys.name)
  }
}

/// The full-text index of the notes, which has their identifiers as rowids.
struct NoteIndex: TableRecord {
  static let note = belongsTo(
    Note.self, using: ForeignKey([Column.rowID], to: [Note.Columns.id]))
}

/// What `Note.including(all: Note.tags)` fetches.
struct TaggedNote: Decodable, FetchableRecord {
  var note: Note
  var tags: [Tag]
}

/// A note that a search has found. The words that were found have marks around them.
struct Finding: Decodable, FetchableRecord {
  var note: TaggedNote
  var markedTitle: String
  var extract: String
}
