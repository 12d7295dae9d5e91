#if Macros
  import SwiftParser

  extension EnumerationDeclaration {
    /// The names of the cases, as a type of values.
    var names: String {
      """
      nonisolated \(access)enum Case: String, DatabaseValueConvertible, CaseIterable, Sendable {
      \(cases.map { "  case \($0.identifier)" }.joined(separator: "\n"))
      }
      """
    }

    /// The typed columns.
    func embeddedColumns(isOptional: Bool) -> String {
      let tag = isOptional ? "Case?" : "Case"
      let columns = values.map { value in
        "  \(access)var \(value.column.asIdentifier): TypedColumn<_Record, \(value.type)?> "
          + "{ .init(_prefix + \(value.column.debugDescription)) }"
      }
      return """
        nonisolated \(access)struct \(Property.columnsType(isOptional))<_Record>: Sendable {
          \(access)let _prefix: String
          \(access)init(prefix: String) {
            self._prefix = prefix
          }
          \(access)var `case`: TypedColumn<_Record, \(tag)> { .init(_prefix + "case") }
        \(columns.joined(separator: "\n"))
        }
        """
    }

    /// The conformance, as an extension.
    func conformance(of type: String, _ aliases: TypeAliases) -> String {
      let declarations = values.map { value in
        "  _DeclaredColumn(prefix + \(value.column.debugDescription), \(aliases.type(of: value))?.self),"
      }
      return """
        \((availability + ["nonisolated extension \(type): EmbeddableRecord {"]).joined(separator: "\n"))
          \(access)static var _columnCount: Int { \(values.count + 1) }

          \(access)static func _columns(prefix: String) -> [_DeclaredColumn] {
            [
              _DeclaredColumn(prefix + "case", Case.self),
        \(declarations.map { "    \($0)" }.joined(separator: "\n"))
            ]
          }

          \(access)init(
            _ row: Quarry.Row, from start: Int, prefix: @autoclosure () -> String, isInOrder: Bool
          ) throws {
            let name: Case = try row._decode(at: start, or: prefix() + "case", inOrder: isInOrder)
            switch name {
        \(decodings.joined(separator: "\n"))
            }
          }

          \(access)func _encode(
            to container: inout Quarry.PersistenceContainer, prefix: String
          ) throws {
            switch self {
        \(encodings.joined(separator: "\n"))
            }
          }
        }
        """
    }

    private var decodings: [String] {
      var position = 0
      return cases.map { element in
        let arguments = element.values.map { value in
          position += 1
          let label = value.label.map { "\($0.asLabel): " } ?? ""
          return """
                    \(label)try row._decode(
                      at: start + \(position), or: prefix() + \(value.column.debugDescription), \
            inOrder: isInOrder)
            """
        }
        let made =
          arguments.isEmpty
          ? ".\(element.identifier)"
          : ".\(element.identifier)(\n\(arguments.joined(separator: ",\n")))"
        return "    case .\(element.identifier):\n      self = \(made)"
      }
    }

    private var encodings: [String] {
      cases.enumerated().map { index, element in
        let names = element.values.indices.map { "let value\($0)" }.joined(separator: ", ")
        var lines = ["    case .\(element.identifier)\(names.isEmpty ? "" : "(\(names))"):"]
        lines.append("      container._set(prefix + \"case\", to: Case.\(element.identifier))")
        for (otherIndex, other) in cases.enumerated() {
          for (number, value) in other.values.enumerated() {
            let stored = otherIndex == index ? "value\(number)" : "DatabaseValue.null"
            let name = "prefix + \(value.column.debugDescription)"
            lines.append("      container._set(\(name), to: \(stored))")
          }
        }
        return lines.joined(separator: "\n")
      }
    }
  }

  extension String {
    /// In backticks, if it is a keyword, or no plain identifier.
    var asIdentifier: String { isValidSwiftIdentifier(for: .variableName) ? self : "`\(self)`" }

    /// Without backticks, unless a label needs them.
    fileprivate var asLabel: String {
      let plain = trimmingBackticks
      return plain.isValidSwiftIdentifier(for: .memberAccess) ? plain : self
    }
  }
#endif
