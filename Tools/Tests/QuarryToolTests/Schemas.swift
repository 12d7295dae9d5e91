/// The databases of the tests.
enum Schemas {
  /// A bookshop.
  static let shop = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT DEFAULT 'IE');
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, authorId INTEGER NOT NULL REFERENCES author ON DELETE CASCADE,
      title TEXT NOT NULL, year INTEGER, price REAL);
    CREATE INDEX book_author ON book (authorId);
    CREATE VIEW cheap AS SELECT title, price FROM book WHERE price < 10;
    INSERT INTO author VALUES (1, 'Flann O''Brien', 'IE'), (2, 'Clarice Lispector', 'BR');
    INSERT INTO book VALUES
      (1, 1, 'The Third Policeman', 1967, 9.5), (2, 1, 'At Swim-Two-Birds', 1939, 12),
      (3, 2, 'Água Viva', 1973, NULL);
    """

  /// Names, types and tables of all kinds. The text of `misc.b` in row 2 is not UTF-8.
  static let odd = """
    PRAGMA foreign_keys = ON;
    CREATE TABLE "Order" (id INTEGER PRIMARY KEY AUTOINCREMENT, "class" TEXT, "self" TEXT);
    CREATE TABLE "Order Details" (
      "Order Id" INTEGER NOT NULL REFERENCES "Order", line INTEGER NOT NULL, "unit price" REAL,
      amount INTEGER, total REAL GENERATED ALWAYS AS ("unit price" * amount) STORED,
      PRIMARY KEY ("Order Id", line)) WITHOUT ROWID;
    CREATE TABLE "quo""te's" ("a""b" TEXT, "tab\tname" TEXT);
    CREATE TABLE "📚" ("🐙" TEXT UNIQUE, "größe" REAL);
    CREATE TABLE misc (a, b TEXT, c BLOB, d DATETIME, e BOOLEAN, f DECIMAL(10, 2));
    CREATE TABLE person (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES person, "mother_id" INTEGER REFERENCES person);
    CREATE TABLE tag (name TEXT PRIMARY KEY);
    CREATE TABLE person_tag (
      person_id INTEGER NOT NULL REFERENCES person, tag_name TEXT NOT NULL REFERENCES tag,
      PRIMARY KEY (person_id, tag_name));
    CREATE TABLE passport (number TEXT PRIMARY KEY, person_id INTEGER NOT NULL UNIQUE REFERENCES person);
    CREATE VIEW "select" AS SELECT id, "class" AS kind, id * 2 AS twice FROM "Order";
    CREATE VIRTUAL TABLE search USING fts5(body);
    CREATE TRIGGER misc_count AFTER INSERT ON misc BEGIN UPDATE "Order" SET "class" = 'x;y' WHERE id = 0; END;
    INSERT INTO "Order" VALUES (7, 'first', NULL), (8, 'it''s', 'me');
    INSERT INTO "Order Details" VALUES (7, 1, 2.5, 4), (7, 2, 1e100, 1), (8, 1, NULL, NULL);
    INSERT INTO "quo""te's" VALUES ('line 1' || char(10) || 'line 2', 'a,"b"'), (NULL, '');
    INSERT INTO "📚" VALUES ('Ω', 1.5), ('日本', 9e999);
    INSERT INTO misc VALUES
      (1, 'one', x'01FF', '2024-02-29 12:00:00', 1, 1.25), ('two', CAST(x'41FF42' AS TEXT), x'', NULL, 0, 3),
      (x'00', 'nul' || char(0) || 'end', NULL, '1999-12-31', NULL, NULL);
    INSERT INTO person VALUES (1, NULL, NULL), (2, 1, 1), (3, 1, NULL);
    INSERT INTO tag VALUES ('new'), ('old');
    INSERT INTO person_tag VALUES (1, 'new'), (1, 'old'), (3, 'old');
    INSERT INTO passport VALUES ('P1', 2);
    INSERT INTO search VALUES ('a quick brown fox'), ('lazy dogs');
    """
}
