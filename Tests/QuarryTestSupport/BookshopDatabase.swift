public import Quarry

/// A new database with the tables of `LiteralSchemaReader.bookshop`, and a few rows:
///
/// | author | books |
/// | --- | --- |
/// | 1 Ursula Vernet, FR, 1929 | 1 *Dispossession* (1974, 12.5, publisher 1) |
/// | | 2 *Left Hand* (1969, 9.0, publisher 2) |
/// | 2 Italo Bassi, IT, 1923 | 3 *Invisible Towns* (2002, 15.0, publisher 1) |
/// | 3 Ana Neves, no country | none |
///
/// Book 4, *Anonymous*, has neither author nor publisher. Books 1 and 3 have reviews.
public func makeBookshopDatabase(
  configuration: Configuration = Configuration()
) throws -> AnyDatabaseWriter {
  let database = try makeEmptyDatabase(configuration: configuration)
  try database.write { db in
    try db.execute(sql: bookshopTables)
    try db.execute(sql: bookshopRows)
  }
  return database
}

private let bookshopTables = """
  CREATE TABLE author (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, country TEXT, birthYear INTEGER);
  CREATE TABLE publisher (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
  CREATE TABLE book (
    id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, year INTEGER, price DOUBLE,
    authorId INTEGER REFERENCES author(id), publisherId INTEGER REFERENCES publisher(id));
  CREATE TABLE review (
    id INTEGER PRIMARY KEY, bookId INTEGER REFERENCES book(id), score INTEGER, body TEXT);
  CREATE TABLE country (code TEXT NOT NULL PRIMARY KEY, name TEXT);
  CREATE TABLE stock (
    shop TEXT NOT NULL, isbn TEXT NOT NULL, qty INTEGER, PRIMARY KEY (shop, isbn));
  CREATE TABLE stockMove (
    id INTEGER PRIMARY KEY, shop TEXT, isbn TEXT, delta INTEGER,
    FOREIGN KEY (shop, isbn) REFERENCES stock(shop, isbn));
  CREATE TABLE shelf (
    room TEXT NOT NULL, num INTEGER NOT NULL, label TEXT, PRIMARY KEY (room, num)) WITHOUT ROWID;
  CREATE TABLE tagName (name TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE note (text TEXT);
  CREATE TABLE member (email TEXT UNIQUE, nick TEXT);
  CREATE TABLE employee (
    id INTEGER PRIMARY KEY, name TEXT, managerId INTEGER REFERENCES employee(id));
  CREATE VIEW bestseller AS SELECT * FROM book WHERE year > 2000;
  """

private let bookshopRows = """
  INSERT INTO author VALUES
    (1, 'Ursula Vernet', 'FR', 1929), (2, 'Italo Bassi', 'IT', 1923), (3, 'Ana Neves', NULL, 1951);
  INSERT INTO publisher VALUES (1, 'Meridian', 'Paris'), (2, 'Quayside', 'Turin');
  INSERT INTO book VALUES
    (1, 'Dispossession', 1974, 12.5, 1, 1), (2, 'Left Hand', 1969, 9.0, 1, 2),
    (3, 'Invisible Towns', 2002, 15.0, 2, 1), (4, 'Anonymous', NULL, NULL, NULL, NULL);
  INSERT INTO review VALUES (1, 1, 5, 'Splendid'), (2, 1, 3, NULL), (3, 3, 4, 'Dreamy');
  INSERT INTO country VALUES ('FR', 'France'), ('IT', 'Italy');
  INSERT INTO stock VALUES ('north', 'a', 3), ('north', 'b', 0), ('south', 'a', 7);
  INSERT INTO stockMove VALUES
    (1, 'north', 'a', 5), (2, 'north', 'a', -2), (3, 'south', 'a', 7), (4, NULL, NULL, 1);
  INSERT INTO shelf VALUES ('attic', 1, 'Poetry'), ('attic', 2, NULL), ('cellar', 1, 'Maps');
  INSERT INTO tagName VALUES ('novel'), ('poetry');
  INSERT INTO note VALUES ('call back'), (NULL);
  INSERT INTO member VALUES ('a@example.com', 'ann'), ('b@example.com', 'bob'), (NULL, 'cat');
  INSERT INTO employee VALUES (1, 'Ada', NULL), (2, 'Bo', 1), (3, 'Cy', 1), (4, 'Di', 2);
  """
