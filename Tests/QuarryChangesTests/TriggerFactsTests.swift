import Testing

@testable import QuarryChanges

@Suite("Facts of triggers") struct TriggerFactsTests {
  private func facts(_ sql: String) -> TriggerFacts {
    TriggerFacts(name: "t", table: "event", sql: "CREATE TRIGGER t \(sql)", isTemporary: false)
  }

  @Test func `columns may be named begin, and names and texts are no keywords`() {
    let facts = facts(
      """
      AFTER UPDATE OF begin, "delete" ON Main.event WHEN new.begin > 0 BEGIN
        UPDATE OR IGNORE log SET text = '; INSERT INTO other --';
        INSERT INTO "Index" (id) SELECT new.id;
      END
      """)
    #expect(facts.events == ["update"])
    #expect(facts.tableSchema == "main")
    #expect(facts.writtenTables == ["log", "index"])
    #expect(facts.fillsConditionally(["index"], keys: []))
    #expect(!facts.fillsConditionally(["other"], keys: []))
    #expect(!facts.writesToItsTable)
    #expect(!facts.actsUnannounced)
  }

  @Test(arguments: [
    ("INSERT INTO text (id) VALUES ((SELECT id FROM event WHERE id = new.id))", false),
    ("INSERT INTO text (id) SELECT new.id", false),
    ("INSERT INTO text (id) SELECT new.id WHERE new.isPublic", true),
    ("REPLACE INTO text SELECT id FROM event WHERE id > new.id", true),
    ("REPLACE INTO text SELECT id FROM other WHERE id = new.id", true),
    ("REPLACE INTO text SELECT id FROM event WHERE id = new.id AND isPublic", true),
    ("REPLACE INTO text SELECT id FROM event WHERE id = new.id", false),
    ("REPLACE INTO text SELECT id FROM Event WHERE new.\"id\" = [event].id", false),
    ("REPLACE INTO text SELECT id FROM event WHERE rowid = new.rowid", false),
    ("REPLACE INTO text SELECT id FROM event WHERE slug = new.slug", true),
    ("DELETE FROM text WHERE id = new.id", false),
    ("SELECT raise(ignore) WHERE NOT new.isPublic; INSERT INTO text (id) VALUES (new.id)", true),
  ])
  func `an insertion fills a part where it may have no rows`(body: String, isConditional: Bool) {
    let facts = facts("AFTER INSERT ON event BEGIN \(body); END")
    #expect(facts.fillsConditionally(["text"], keys: ["id", "rowid"]) == isConditional)
  }
}
