struct Classic: TableRecord {}
struct Translator: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
}
let id = Column("id")
let authorId = Column("authorId")
let authors = Author.all()
let translators = Translator.all()
let names = Author.select(Column("name")).union(Publisher.select(Column("name"))).asRequest(
  of: String.self)
