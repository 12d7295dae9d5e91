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
    throw DatabaseError(
      resultCode: .SQLITE_CANTOPEN,
      message: "the path contains a NUL character, and would be cut off there: remove it"
    ).detailed(nil, path: path)
  }

  /// Throws also for a path of a copy that would be lost: SQLite keeps it in memory, or in a file
  /// that it removes.
  ///
  /// See <https://www.sqlite.org/inmemorydb.html>.
  static func checkCopy(_ path: String) throws {
    try check(path)
    guard isOfTemporaryDatabase(path) else { return }
    throw DatabaseError(
      resultCode: .SQLITE_CANTOPEN,
      message: "the copy needs the path of a file: one in memory, or without name, would be lost"
    ).detailed(nil, path: path)
  }

  private static func isOfTemporaryDatabase(_ path: String) -> Bool {
    guard path.hasPrefix("file:") else { return ["", ":memory:"].contains(path) }
    let uri = path.dropFirst(5).prefix { $0 != "#" }
    let name = uri.prefix { $0 != "?" }
    let parameters = uri.dropFirst(name.count).split { "?&".contains($0) }
    return ["", "//", "//localhost", ":memory:"].contains(name)
      || parameters.contains("mode=memory") && !parameters.contains("cache=shared")
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
  /// more. Names and values of parameters may be encoded, and the fragment is ignored.
  ///
  /// See <https://www.sqlite.org/uri.html>.
  static func readingURI(_ uri: String) -> String {
    let text = uri.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let query = text.firstIndex(of: UInt8(ascii: "?")) else { return uri }
    let parameters = text[query...].dropFirst()
      .split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    let reading = parameters.map { parameter in
      let decoded = parameter.removingPercentEncoding
      return decoded == "mode=rw" || decoded == "mode=rwc" ? "mode=ro" : parameter
    }
    return String(uri[..<query]) + "?" + reading.joined(separator: "&")
  }

  private static func encoded(_ text: String, _ characters: String) -> String {
    var encoded = ""
    for scalar in text.unicodeScalars {
      if characters.unicodeScalars.contains(scalar) {
        encoded += "%" + String(scalar.value, radix: 16)
      } else {
        encoded.unicodeScalars.append(scalar)
      }
    }
    return encoded
  }
}
