/// Whether the schema of a database may use a function or a virtual table of the application: in
/// its views, triggers, indexes, generated columns, defaults and checks.
///
/// A schema is not trusted where `PRAGMA trusted_schema` is off, as
/// ``Configuration/untrusted`` has it.
///
/// See <https://www.sqlite.org/pragma.html#pragma_trusted_schema>.
public enum SchemaTrust: Sendable {
  /// Any schema may use it: it does no harm, whatever its arguments are.
  case innocuous
  /// Only a trusted schema may use it.
  case normal
  /// No schema may use it: statements of the application only.
  case directOnly
}
