import Foundation
import Quarry

/// The files of a folder, in the order of their numbers.
struct MigrationFolder {
  struct Entry {
    let identifier: String
    let up: MigrationFile
    let down: MigrationFile?
  }

  private(set) var entries: [Entry] = []

  init(_ url: URL) throws {
    let names = try Self.fileNames(in: url)
    let ups = names.filter { !$0.hasSuffix(Self.downSuffix) }.sorted(by: Self.number)
    let downs = Set(names).subtracting(ups)
    for name in downs.sorted() {
      let up = name.dropLast(Self.downSuffix.count) + Self.suffix
      guard ups.contains(String(up)) else {
        throw MigrationFileError(name, "undoes \(up), which is not in the folder")
      }
    }
    for name in ups {
      let identifier = String(name.dropLast(Self.suffix.count))
      let down = identifier + Self.downSuffix
      entries.append(
        Entry(
          identifier: identifier, up: try MigrationFile(url.appendingPathComponent(name)),
          down: downs.contains(down)
            ? try MigrationFile(url.appendingPathComponent(down)) : nil))
    }
  }

  private static let suffix = ".sql"
  private static let downSuffix = ".down.sql"

  /// The names of the SQL files. Other files, and hidden ones, are none of ours.
  private static func fileNames(in url: URL) throws -> [String] {
    let contents: [URL]
    do {
      contents = try FileManager.default.contentsOfDirectory(
        at: url, includingPropertiesForKeys: [.isDirectoryKey])
    } catch {
      throw MigrationFileError(url.path, "is no folder that can be read")
    }
    return try contents.map(\.lastPathComponent).filter { name in
      guard name.asciiLowercased.hasSuffix(suffix), !name.hasPrefix(".") else { return false }
      try check(name)
      return true
    }
  }

  private static func check(_ name: String) throws {
    if !name.hasSuffix(suffix) {
      throw MigrationFileError(name, "write the extension in lower case: .sql")
    }
    if name.hasSuffix(".up.sql") {
      let plain = name.dropLast(".up.sql".count) + suffix
      throw MigrationFileError(name, "a migration has no .up: rename the file to \(plain)")
    }
    guard !digits(of: name).isEmpty else {
      throw MigrationFileError(
        name, "does not begin with a number, which is its place: such as 12-\(name)")
    }
  }

  private static func digits(of name: String) -> Substring.UTF8View {
    name.utf8.prefix { 48...57 ~= $0 }
  }

  /// The order of the leading numbers by value, which may be as long as a date.
  private static func number(_ name: String, _ other: String) -> Bool {
    let (number, otherNumber) = (
      digits(of: name).drop { $0 == 48 }, digits(of: other).drop { $0 == 48 }
    )
    return number.count == otherNumber.count
      ? number.lexicographicallyPrecedes(otherNumber) : number.count < otherNumber.count
  }

  private static func isSameNumber(_ name: String, _ other: String) -> Bool {
    !number(name, other) && !number(other, name)
  }
}

extension MigrationFolder {
  /// Two files with one number have no order.
  func checkNumbers() throws {
    for (entry, next) in zip(entries, entries.dropFirst())
    where Self.isSameNumber(entry.up.name, next.up.name) {
      throw MigrationFileError(
        next.up.name,
        "has the number of \(entry.up.name), so that neither is the first: renumber it")
    }
  }
}
