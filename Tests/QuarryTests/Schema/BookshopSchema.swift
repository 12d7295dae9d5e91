import Quarry

/// The tables of `LiteralSchemaReader.bookshop`, in SQL.
let bookshopSQL = """
  CREATE TABLE author (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, country TEXT, birthYear INTEGER);
  CREATE TABLE publisher (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
  CREATE TABLE book (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, year INTEGER, price DOUBLE,
    authorId INTEGER REFERENCES author(id), publisherId INTEGER REFERENCES publisher(id));
  CREATE TABLE review (
    id INTEGER PRIMARY KEY, bookId INTEGER REFERENCES book(id), score INTEGER, body TEXT);
  CREATE TABLE country (code TEXT NOT NULL PRIMARY KEY, name TEXT);
  CREATE TABLE stock (
    shop TEXT NOT NULL, isbn TEXT NOT NULL, qty INTEGER, PRIMARY KEY (shop, isbn));
  CREATE TABLE stockMove (id INTEGER PRIMARY KEY, shop TEXT, isbn TEXT, delta INTEGER,
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

/// A database with the bookshop's tables, and what `body` does with it.
func withBookshop<T>(
  configuration: Configuration = Configuration(), _ body: (Database) throws -> T
) throws -> T {
  try DatabaseQueue(configuration: configuration).writeWithoutTransaction { db in
    try db.execute(sql: bookshopSQL)
    return try body(db)
  }
}
