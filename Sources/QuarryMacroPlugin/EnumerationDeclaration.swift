#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  /// What `@Embeddable` reads from an enumeration: a column has the name of the case, and each
  /// associated value has one, which is `NULL` in other cases.
  struct EnumerationDeclaration {
    struct Case {
      var identifier: String
      var values: [Value]

      var name: String { identifier.trimmingBackticks }
    }

    struct Value {
      var label: String?
      /// The column, and the property that is its typed column.
      var column: String
      /// The type, without any `?`.
      var type: String
    }

    static let tag = "case"

    let access: String
    let availability: [String]
    let cases: [Case]

    var values: [Value] { cases.flatMap(\.values) }

    init?(_ declaration: EnumDeclSyntax, isNested: Bool, _ report: (Diagnostic) -> Void) {
      access = declaration.modifiers.access(for: .member)
      availability = declaration.attributes.availability
      var misuses = (isNested ? Misuse.ofAccess(declaration) : nil).map { [$0] } ?? []
      let elements = Self.elements(declaration.memberBlock, &misuses)
      cases = elements.map { Self.read($0, declaration.name.text, &misuses) }
      misuses += Self.sameColumns(elements, cases)
      if cases.isEmpty, misuses.isEmpty { misuses.append(.withoutCase(declaration)) }
      misuses.forEach { report($0.diagnostic) }
      guard misuses.isEmpty else { return nil }
    }

    private static func elements(
      _ block: MemberBlockSyntax, _ misuses: inout [Misuse]
    ) -> [EnumCaseElementSyntax] {
      var elements: [EnumCaseElementSyntax] = []
      for member in block.members.map(\.decl) {
        if member.is(IfConfigDeclSyntax.self) { misuses.append(.conditionalCases(member)) }
        elements += member.as(EnumCaseDeclSyntax.self).map { Array($0.elements) } ?? []
      }
      return elements
    }

    private static func sameColumns(
      _ elements: [EnumCaseElementSyntax], _ cases: [Case]
    ) -> [Misuse] {
      var misuses: [Misuse] = []
      var columns: [String: String] = [tag: "the name of the case"]
      for (element, read) in zip(elements, cases) {
        for value in read.values {
          let key = value.column.lowercased()
          if let other = columns[key] {
            misuses.append(.sameValueColumn(element, value.column, other))
          }
          columns[key] = "'\(element.name.text)'"
        }
      }
      return misuses
    }

    private static func read(
      _ element: EnumCaseElementSyntax, _ enumeration: String, _ misuses: inout [Misuse]
    ) -> Case {
      let parameters = element.parameterClause.map { Array($0.parameters) } ?? []
      let name = element.name.text.trimmingBackticks
      let values = parameters.enumerated().map { index, parameter in
        let label = parameter.firstName.map(\.text).flatMap { $0 == "_" ? nil : $0 }
        let isOnly = parameters.count == 1
        if let fault = Misuse.ofValue(parameter.type) { misuses.append(fault) }
        return Value(
          label: label,
          column: name + (label?.trimmingBackticks.capitalizedFirst ?? (isOnly ? "" : "\(index)")),
          type: (parameter.type.wrapped ?? parameter.type).text(replacingSelfWith: enumeration))
      }
      return Case(identifier: element.name.text, values: values)
    }
  }

  extension Misuse {
    static func withoutCase(_ declaration: EnumDeclSyntax) -> Misuse {
      Misuse("withoutCase", at: declaration.enumKeyword, "\(declaration.name.text) has no case")
    }

    static func conditionalCases(_ member: some SyntaxProtocol) -> Misuse {
      Misuse(
        "conditionalCases", at: member,
        "a case can't depend on `#if`: macros don't know which condition holds")
    }

    static func sameValueColumn(
      _ element: EnumCaseElementSyntax, _ column: String, _ other: String
    ) -> Misuse {
      Misuse(
        "sameValueColumn", at: element, "the column \"\(column)\" is that of \(other) already")
    }

    /// The reason why no column stores an associated value.
    fileprivate static func ofValue(_ type: TypeSyntax) -> Misuse? {
      let wrapped = type.wrapped ?? type
      guard wrapped.isNeverStored || wrapped.isCollection else { return nil }
      return Misuse(
        "unsupportedValue", at: type, "a column can't store '\(type.trimmedDescription)'")
    }
  }

  extension String {
    var trimmingBackticks: String {
      hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self
    }

    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
  }
#endif
