#if Macros
  import SwiftSyntax

  /// Reads the properties of a type, and collects the mistakes.
  struct DeclarationReader {
    /// The name of the type.
    let type: String
    /// Whether the type is a record, and not a part of one.
    let isRecord: Bool
    var properties: [Property] = []
    var misuses: [Misuse] = []
    private var privateTypes: Set<String> = []

    private static let attributes: Set = ["PrimaryKey", "Column", "JSON", "Ignored", "Embedded"]

    init(of type: String, isRecord: Bool) {
      self.type = type
      self.isRecord = isRecord
    }

    mutating func tableName(_ attribute: AttributeSyntax) -> String? {
      attribute.unlabeledArgument.flatMap { name($0) }
    }

    mutating func flag(_ label: String, of attribute: AttributeSyntax) -> Bool {
      guard let argument = attribute.argument(label) else { return false }
      guard let literal = argument.as(BooleanLiteralExprSyntax.self) else {
        misuses.append(.literalFlag(argument))
        return false
      }
      return literal.literal.tokenKind == .keyword(.true)
    }

    private mutating func name(_ argument: ExprSyntax) -> String? {
      if let text = argument.literalText, !text.isEmpty { return text }
      if argument.is(NilLiteralExprSyntax.self) { return nil }
      misuses.append(.columnName(argument))
      return nil
    }

    mutating func read(_ block: MemberBlockSyntax) {
      privateTypes = block.members.privateTypes
      for member in block.members {
        if let condition = member.decl.as(IfConfigDeclSyntax.self) { checkCondition(condition) }
        guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
        let attributes = attributes(of: variable)
        if variable.isStoredInInstances {
          read(variable, attributes)
        } else {
          misuses += attributes.map { .notStored($0, variable) }
        }
      }
    }

    /// Reports the columns that depend on a condition: no macro knows whether it holds, and without
    /// its column, a property would be stored nowhere.
    private mutating func checkCondition(_ condition: IfConfigDeclSyntax) {
      for member in condition.declarations {
        guard let variable = member.as(VariableDeclSyntax.self), variable.isStoredInInstances
        else { continue }
        let attributes = attributes(of: variable)
        if attributes.contains(where: { $0.name == "Ignored" }) {
          checkIgnored(variable, attributes)
        } else {
          misuses.append(.conditional(variable))
        }
      }
    }

    private func attributes(of variable: VariableDeclSyntax) -> [AttributeSyntax] {
      variable.attributes.compactMap { $0.as(AttributeSyntax.self) }
        .filter { Self.attributes.contains($0.name) }
    }

    private mutating func read(_ variable: VariableDeclSyntax, _ attributes: [AttributeSyntax]) {
      if attributes.contains(where: { $0.name == "Ignored" }) {
        return checkIgnored(variable, attributes)
      }
      guard checkCombination(attributes, variable) else { return }
      // `var a, b: Int`: the type stands behind the last name.
      var type: TypeSyntax?
      var read: [Property] = []
      for binding in variable.bindings.reversed() {
        type = binding.typeAnnotation?.type ?? (binding.initializer == nil ? type : nil)
        if let property = property(binding, type, variable, attributes) {
          read.insert(property, at: 0)
        }
      }
      for property in read { add(property, of: variable, attributes) }
    }

    private mutating func checkIgnored(
      _ variable: VariableDeclSyntax, _ attributes: [AttributeSyntax]
    ) {
      for attribute in attributes where attribute.name != "Ignored" {
        misuses.append(.conflict(attribute, "@Ignored", variable))
      }
      // A property wrapper may have a value itself.
      if variable.attributes.count > attributes.count { return }
      for binding in variable.bindings where binding.initializer == nil {
        let isNilByDefault =
          variable.bindingSpecifier.tokenKind == .keyword(.var)
          && binding.typeAnnotation?.type.wrapped != nil
        if !isNilByDefault {
          misuses.append(.ignoredWithoutValue(binding, binding.pattern.trimmedDescription))
        }
      }
    }

    /// Whether the attributes go together.
    private mutating func checkCombination(
      _ attributes: [AttributeSyntax], _ variable: VariableDeclSyntax
    ) -> Bool {
      let byName = Dictionary(attributes.map { ($0.name, $0) }) { first, _ in first }
      let count = misuses.count
      if let json = byName["JSON"] {
        if byName["Embedded"] != nil { misuses.append(.conflict(json, "@Embedded", variable)) }
        if byName["Column"]?.argument("as") != nil {
          misuses.append(.conflict(json, "@Column(as:)", variable))
        }
      }
      if let column = byName["Column"], column.argument("as") != nil, byName["Embedded"] != nil {
        misuses.append(.conflict(column, "@Embedded", variable))
      }
      if let key = byName["PrimaryKey"], byName["Embedded"] != nil || !isRecord {
        misuses.append(.keyOfEmbedded(key, variable))
      }
      return misuses.count == count
    }

    private mutating func property(
      _ binding: PatternBindingSyntax, _ type: TypeSyntax?, _ variable: VariableDeclSyntax,
      _ attributes: [AttributeSyntax]
    ) -> Property? {
      guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
        misuses.append(.pattern(binding))
        return nil
      }
      guard let type else {
        misuses.append(.withoutType(binding))
        return nil
      }
      let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
      if isConstant, binding.initializer != nil {
        misuses.append(.initializedConstant(variable, identifier.text))
        return nil
      }
      let byName = Dictionary(attributes.map { ($0.name, $0) }) { first, _ in first }
      guard checkType(type.unparenthesized, byName, variable) else { return nil }
      return property(identifier.text, type.unparenthesized, isConstant, variable, byName)
    }

    private mutating func property(
      _ identifier: String, _ type: TypeSyntax, _ isConstant: Bool, _ variable: VariableDeclSyntax,
      _ attributes: [String: AttributeSyntax]
    ) -> Property? {
      let plain = identifier.trimmingBackticks
      let wrapped = (type.wrapped ?? type).text(replacingSelfWith: self.type)
      var coding = attributes["JSON"].map { _ in "JSONText<\(wrapped)>" }
      if let argument = attributes["Column"]?.argument("as") {
        coding = argument.metatypeBase?.text(replacingSelfWith: self.type)
        if coding == nil { misuses.append(.metatype(argument)) }
      }
      let isEmbedded = attributes["Embedded"] != nil
      let given = attributes[isEmbedded ? "Embedded" : "Column"]
      let argument = isEmbedded ? given?.argument("prefix") : given?.unlabeledArgument
      // An empty prefix is fine: the columns have the names of the embedded properties.
      let isEmptyPrefix = isEmbedded && argument?.literalText?.isEmpty == true
      let column = isEmptyPrefix ? "" : argument.flatMap { name($0) }
      return Property(
        identifier: identifier, type: wrapped, isOptional: type.wrapped != nil,
        isConstant: isConstant, access: variable.modifiers.access(for: .column),
        column: column ?? (isEmbedded ? plain + "_" : plain), coding: coding,
        isEmbedded: isEmbedded, isPrimaryKey: attributes["PrimaryKey"] != nil)
    }

    /// Whether a column can store the values.
    private mutating func checkType(
      _ type: TypeSyntax, _ attributes: [String: AttributeSyntax], _ variable: VariableDeclSyntax
    ) -> Bool {
      let wrapped = type.wrapped ?? type
      let hidden = type.tokens(viewMode: .sourceAccurate).first {
        privateTypes.contains($0.text)
          && $0.previousToken(viewMode: .sourceAccurate)?.tokenKind != .period
      }
      if let hidden {
        misuses.append(.privateType(hidden))
        return false
      }
      if attributes["Column"]?.argument("as") != nil { return true }
      if wrapped.isNeverStored {
        misuses.append(.unsupportedType(type, variable))
        return false
      }
      if wrapped.isCollection, attributes["JSON"] == nil {
        misuses.append(.collection(type, variable))
        return false
      }
      return true
    }

    private mutating func add(
      _ property: Property, of variable: VariableDeclSyntax, _ attributes: [AttributeSyntax]
    ) {
      if property.isPrimaryKey, properties.contains(where: \.isPrimaryKey),
        let key = attributes.first(where: { $0.name == "PrimaryKey" })
      {
        misuses.append(.secondKey(key, variable))
      }
      let other = properties.first {
        !$0.isEmbedded && !property.isEmbedded
          && $0.column.lowercased() == property.column.lowercased()
      }
      if let other, let binding = variable.bindings.first {
        misuses.append(.sameColumn(binding.pattern, property.column, other.identifier))
      }
      properties.append(property)
    }
  }

  extension MemberBlockItemListSyntax {
    /// The names of private types, which only the type itself sees.
    fileprivate var privateTypes: Set<String> {
      Set(
        declarations.compactMap { member in
          let modifiers = member.asProtocol((any WithModifiersSyntax).self)?.modifiers
          guard modifiers?.accessLevel == .type else { return nil }
          return member.asProtocol((any NamedDeclSyntax).self)?.name.text
        })
    }
  }

  extension VariableDeclSyntax {
    /// Whether instances have a value of their own: neither computed, nor static, nor lazy.
    fileprivate var isStoredInInstances: Bool {
      if modifiers.has(.static) || modifiers.has(.class) || modifiers.has(.lazy) { return false }
      return !bindings.contains { $0.accessorBlock?.isComputed == true }
    }
  }

  extension AccessorBlockSyntax {
    /// Whether there is anything but observers.
    fileprivate var isComputed: Bool {
      guard case .accessors(let list) = accessors else { return true }
      return !list.allSatisfy {
        [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
      }
    }
  }
#endif
