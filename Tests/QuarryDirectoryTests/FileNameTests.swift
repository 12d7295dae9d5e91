import Foundation
import QuarryTestSupport
import Testing

@testable import QuarryDirectory

@Suite("Names of files")
struct FileNameTests {
  @Test(arguments: [
    ("acme", "acme.sqlite"),
    ("customer-12_b", "customer-12_b.sqlite"),
    ("example.com", "example.com.sqlite"),
    ("Acme", "%41cme.sqlite"),
    ("..", "%2e..sqlite"),
    ("../acme", "%2e.%2facme.sqlite"),
    ("/etc/passwd", "%2fetc%2fpasswd.sqlite"),
    (".hidden", "%2ehidden.sqlite"),
    ("a b", "a%20b.sqlite"),
    ("100%", "100%25.sqlite"),
    ("\0", "%00.sqlite"),
    ("a\nb", "a%0ab.sqlite"),
    ("\u{e9}", "%c3%a9.sqlite"),
    ("file:a?mode=memory", "file%3aa%3fmode%3dmemory.sqlite"),
    ("acme.sqlite-wal", "acme.sqlite-wal.sqlite"),
    ("🐁", "%f0%9f%90%81.sqlite"),
  ])
  func `keys are names of files, and the reverse`(key: String, name: String) throws {
    #expect(DatabaseFileName.name(of: key) == name)
    #expect(DatabaseFileName.key(of: name) == key)
  }

  @Test(arguments: [
    "acme", "acme.sqlite3", "acme.sqlite-wal", ".sqlite", "Acme.sqlite", "%41CME.sqlite",
    "a%2E.sqlite", "a%61.sqlite", "%.sqlite", "%4.sqlite", "%4g.sqlite", "%+1.sqlite", "%ff.sqlite",
    ".a.sqlite", "a b.sqlite", "é.sqlite", "e%cc%81.sqlite",
  ])
  func `other names are those of no key`(name: String) {
    #expect(DatabaseFileName.key(of: name) == nil)
  }

  @Test func `random keys have names of their own, which ignore case`() {
    let run = RandomRun("names of files")
    run.repeated(seconds: 0.2) { generator in
      let (a, b) = (generator.text(upTo: 4), generator.text(upTo: 4))
      guard !a.isEmpty, !b.isEmpty else { return }
      let names = [a, b].map { DatabaseFileName.name(of: $0) }
      // Bytes, since equal texts in different forms are composed before.
      #expect((names[0].lowercased() == names[1].lowercased()) == a.utf8.elementsEqual(b.utf8))
      let key = DatabaseFileName.key(of: names[0])
      let isComposed = a.precomposedStringWithCanonicalMapping.utf8.elementsEqual(a.utf8)
      #expect((key?.utf8.elementsEqual(a.utf8) == true) == isComposed, "seed \(run.seed)")
      #expect(!names[0].contains("/") && !names[0].hasPrefix("."))
    }
  }
}

@Suite("Files of a directory")
struct DirectoryFilesTests {
  @Test func `equal keys in different forms have one database`() throws {
    try withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(2))
      try directory.write(Acute.composed, addBook("Emma"))
      try directory.closeIdleDatabases()
      #expect(try directory.read(Acute.decomposed, titles) == ["Emma"])
      #expect(try directory.keys() == [Acute.composed])
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.filter { $0.hasSuffix(".sqlite") } == ["%c3%a9.sqlite"])
    }
  }

  @Test func `keys that differ in case have two databases`() throws {
    try withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(2))
      try directory.write("Acme", addBook("Emma"))
      try directory.write("acme", addBook("Persuasion"))
      #expect(try directory.read("Acme", titles) == ["Emma"])
      #expect(try directory.read("acme", titles) == ["Persuasion"])
      #expect(try directory.keys() == ["Acme", "acme"])
    }
  }

  @Test func `keys without characters, or with too many, are refused`() throws {
    try withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(2))
      // 240 letters, ".sqlite" and "-journal" are 255 bytes.
      let longest = String(repeating: "a", count: 240)
      try directory.write(longest, addBook("Emma"))
      for key in ["", longest + "a", String(repeating: "A", count: 81)] {
        for access in [
          { try directory.write(key, addBook("Emma")) }, { try directory.create(key) },
          { try directory.remove(key) }, { _ = try directory.contains(key) },
        ] as [() throws -> Void] {
          let error = try #require(throws: DirectoryError.self) { try access() }
          #expect(error.code == .invalidKey)
          #expect(error.key == key)
        }
      }
      #expect(try directory.keys() == [longest])
    }
  }

  @Test func `the keys are those of all files, open or not`() throws {
    try withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(1))
      #expect(try directory.keys() == [])
      for key in ["c", "a", "b"] { try directory.create(key) }
      for name in [".hidden.sqlite", "notes.txt", "a.sqlite-wal"] {
        try Data().write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      #expect(try directory.keys() == ["a", "b", "c"])
      #expect(try makeDirectory(folder).keys() == ["a", "b", "c"])
      #expect(directory.openKeys == ["b"])
      #expect(try directory.contains("a"))
      #expect(try !directory.contains("d"))
    }
  }

  @Test func `a database of no key is an error with the name it should have`() throws {
    try withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder)
      try Data().write(to: URL(fileURLWithPath: folder + "/Acme.sqlite"))
      let error = try #require(throws: DirectoryError.self) { _ = try directory.keys() }
      #expect(error.code == .foreignFile)
      #expect(error.message.contains("Acme.sqlite"))
      #expect(error.message.contains("%41cme.sqlite"))
    }
  }

  @Test(arguments: [("e%cc%81", "e%25cc%2581"), (Acute.decomposed, "%c3%a9")])
  func `a file whose name has another form is that of no key`(name: String, right: String) throws {
    try withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder)
      try Data().write(to: URL(fileURLWithPath: folder + "/\(name).sqlite"))
      let error = try #require(throws: DirectoryError.self) { _ = try directory.keys() }
      #expect(error.code == .foreignFile)
      #expect(error.message.contains("name it \(right).sqlite "))
    }
  }

  @Test func `a folder must be there`() throws {
    try withTemporaryDirectory { folder in
      try Data().write(to: URL(fileURLWithPath: folder + "/file"))
      for path in ["", folder + "/file", folder + "/missing", folder + "\0"] {
        let error = try #require(throws: DirectoryError.self) { _ = try makeDirectory(path) }
        #expect(error.code == .file)
      }
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: folder)
      let directory = try makeDirectory(folder + "/link", .limit(1))
      try directory.create("a")
      #expect(try makeDirectory(folder).contains("a"))
      #expect(directory.path == folder + "/link" || directory.path.hasSuffix("/link"))
    }
  }

  @Test func `a folder that goes away is an error`() throws {
    try withTemporaryDirectory { folder in
      let directory = try makeDirectory(folder, .limit(1))
      try FileManager.default.removeItem(atPath: folder)
      let error = try #require(throws: DirectoryError.self) { _ = try directory.keys() }
      #expect(error.code == .file)
      #expect(error.underlyingError != nil)
      let creation = try #require(throws: DirectoryError.self) { try directory.create("a") }
      #expect(creation.code == .file)
      #expect(creation.key == "a")
    }
  }
}
