import Foundation

/// Paths of files, as C functions and SQLite take them.
package enum FilePath {
  /// Throws for a path that ends before its last character: another file would be used.
  ///
  /// A NUL ends the path for C functions, and `%00` that of a URI for SQLite.
  ///
  /// See <https://www.sqlite.org/uri.html>.
  package static func check(_ path: String) throws {
    guard path.utf8.contains(0) || path.hasPrefix("file:") && path.contains("%00") else { return }
    throw error("the path contains a NUL character, and would be cut off there: remove it", path)
  }

  /// Throws also for a path of a copy that would be lost: SQLite keeps it in memory, or in a file
  /// that it removes.
  ///
  /// See <https://www.sqlite.org/inmemorydb.html>.
  static func checkCopy(_ path: String) throws {
    try check(path)
    guard isOfTemporaryDatabase(path) else { return }
    throw error(
      "the copy needs the path of a file: one in memory, or without name, would be lost", path)
  }

  static func error(_ message: String, _ path: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CANTOPEN, message: message).detailed(nil, path: path)
  }

  private static func isOfTemporaryDatabase(_ path: String) -> Bool {
    guard path.hasPrefix("file:") else { return ["", ":memory:"].contains(path) }
    let (name, _, parameters) = parts(ofURI: path)
    func value(_ parameter: String) -> String? { parameters.last { $0.name == parameter }?.value }
    let isInMemory =
      name == ":memory:" || value("mode") == "memory"
      || value("vfs") == "memdb" && !name.hasPrefix("/")
    return name.isEmpty || isInMemory && value("cache") != "shared"
  }

  /// The name that a URI gives a file, and its parameters, as SQLite decodes them, and as they are
  /// written: it splits a URI before it decodes the parts, and ignores the fragment.
  ///
  /// See <https://www.sqlite.org/uri.html>.
  private static func parts(
    ofURI uri: String
  ) -> (name: String, path: String, parameters: [(name: String, value: String, text: String)]) {
    func split(_ text: String, at separator: Unicode.Scalar) -> (String, String?) {
      let parts = text.unicodeScalars.split(
        separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    }
    func decoded(_ text: String) -> String { text.removingPercentEncoding ?? text }
    let (path, query) = split(split(uri, at: "#").0, at: "?")
    let name = path.dropFirst("file:".count)
    // After two slashes, the name of the machine.
    let local = name.hasPrefix("//") ? name.dropFirst(2).drop { $0 != "/" } : name
    let texts = query?.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false) ?? []
    let parameters = texts.map { scalars in
      let (name, value) = split(String(scalars), at: "=")
      return (name: decoded(name), value: decoded(value ?? ""), text: String(scalars))
    }
    return (decoded(String(local)), path, parameters)
  }

  /// The URI of a database in memory that connections share by its name, in which characters that
  /// have a meaning in a URI are encoded.
  ///
  /// See <https://www.sqlite.org/inmemorydb.html>.
  static func databaseInMemory(named name: String) -> String {
    "file:" + encoded(name, "/?#%") + "?mode=memory&cache=shared"
  }

  /// The URI of a file by its absolute path, with the parameters of another URI.
  static func uri(_ other: String, of path: String) -> String {
    let parameters = other.utf8.prefix { $0 != UInt8(ascii: "#") }.drop { $0 != UInt8(ascii: "?") }
    return "file://" + encoded(path, "?#%") + String(Substring(parameters))
  }

  /// The URI of a file for a connection that only reads: SQLite refuses each `mode` that allows
  /// more.
  static func readingURI(_ uri: String) -> String {
    let (_, path, parameters) = parts(ofURI: uri)
    guard !parameters.isEmpty else { return uri }
    let reading = parameters.map { name, value, text in
      name == "mode" && ["rw", "rwc"].contains(value) ? "mode=ro" : text
    }
    return path + "?" + reading.joined(separator: "&")
  }

  private static func encoded(_ text: String, _ characters: String) -> String {
    text.unicodeScalars.map { scalar in
      characters.unicodeScalars.contains(scalar)
        ? "%" + String(scalar.value, radix: 16) : String(scalar)
    }.joined()
  }
}
