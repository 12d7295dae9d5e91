/// The layout of the descriptions of errors.
///
/// The cause comes first, then what the library has found out, then the SQL or the request:
///
///     SQLite error 1: no such column: titel
///     did you mean "title"?
///     - while executing `SELECT titel FROM book` - at offset 7: "titel FROM book"
///
/// An error without findings stands in one line, `SQLite error 1: … - while executing …`: this
/// format is documented, and programs written for other libraries read it. Findings are an
/// addition: they take lines of their own, so that the first line still begins with the code and
/// the message, and the last one with `- while executing`.
enum ErrorLayout {
  static func text(_ cause: String, findings: String?, place: String?) -> String {
    guard let findings else { return place.map { "\(cause) - \($0)" } ?? cause }
    let lines = "\(cause)\n\(findings)"
    return place.map { "\(lines)\n- \($0)" } ?? lines
  }
}
