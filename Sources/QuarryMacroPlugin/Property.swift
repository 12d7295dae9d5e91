#if Macros
  import SwiftParser
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// A stored property that has columns.
  struct Property {
    /// The identifier, in backticks where the declaration has them.
    var identifier: String
    /// The type, without any `?` if `isOptional`.
    var type: String
    /// The name of that type in an extension, if it is another one.
    var alias: String?
    var isOptional: Bool
    var isConstant: Bool
    /// The access of the typed column, with a space if there is any.
    var access: String
    /// The name of the column, or the prefix of the columns of an embedded type.
    var column: String
    /// The type that stores the value, if it does not store itself.
    var coding: String?
    var isEmbedded: Bool
    var isPrimaryKey: Bool

    /// The identifier without backticks.
    var plainIdentifier: String { identifier.trimmingBackticks }

    /// The type as it is declared.
    var fullType: String {
      let type = alias ?? type
      return isOptional ? "\(type)?" : type
    }

    /// Whether an insertion sets the property to the rowid.
    var isAutomaticKey: Bool {
      isPrimaryKey && isOptional && !isConstant && coding == nil
        && ["Int64", "Int", "Swift.Int64", "Swift.Int"].contains(type)
    }
  }

  extension AttributeSyntax {
    /// The name without its module.
    var name: String {
      attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
    }

    /// The arguments, by position.
    var labeledArguments: [LabeledExprSyntax] {
      arguments?.as(LabeledExprListSyntax.self).map(Array.init) ?? []
    }

    /// The argument without label.
    var unlabeledArgument: ExprSyntax? { labeledArguments.first { $0.label == nil }?.expression }

    func argument(_ label: String) -> ExprSyntax? {
      labeledArguments.first { $0.label?.text == label }?.expression
    }
  }

  extension ExprSyntax {
    /// The text of a string literal without interpolation.
    var literalText: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }

    /// `Words` of `Words.self`.
    var metatypeBase: ExprSyntax? {
      guard let access = self.as(MemberAccessExprSyntax.self),
        access.declName.baseName.text == "self"
      else { return nil }
      return access.base
    }

    /// The type of a literal, for a fix-it.
    var literalType: String? {
      switch kind {
      case .booleanLiteralExpr: "Bool"
      case .integerLiteralExpr: "Int"
      case .floatLiteralExpr: "Double"
      case .stringLiteralExpr: "String"
      default: nil
      }
    }
  }

  extension SyntaxProtocol {
    /// The text, where `Self` is a type: it is another one in the generated types.
    func text(replacingSelfWith type: String) -> String {
      trimmed.tokens(viewMode: .sourceAccurate).map { token in
        guard token.tokenKind == .keyword(.Self) else { return token.description }
        return "\(token.leadingTrivia)\(type)\(token.trailingTrivia)"
      }.joined()
    }
  }

  extension TypeSyntax {
    /// The type without parentheses around it.
    var unparenthesized: TypeSyntax {
      guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1,
        let element = tuple.elements.first, element.firstName == nil
      else { return self }
      return element.type.unparenthesized
    }

    /// The wrapped type of `T?`, `T!` and `Optional<T>`.
    var wrapped: TypeSyntax? {
      if let optional = self.as(OptionalTypeSyntax.self) {
        return optional.wrappedType.unparenthesized
      }
      if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
        return optional.wrappedType.unparenthesized
      }
      // `Optional<T>` and `Swift.Optional<T>`.
      let plain = self.as(IdentifierTypeSyntax.self)
      let member = self.as(MemberTypeSyntax.self)
      guard (plain?.name ?? member?.name)?.text == "Optional",
        member.map({ $0.baseType.trimmedDescription == "Swift" }) != false,
        let clause = plain?.genericArgumentClause ?? member?.genericArgumentClause,
        let argument = clause.arguments.first
      else { return nil }
      // The type of arguments differs between the versions of swift-syntax.
      return "\(raw: argument.argument.trimmedDescription)"
    }

    /// Whether no column stores such values: a tuple, a function, an existential.
    var isNeverStored: Bool {
      switch kind {
      case .tupleType, .functionType, .someOrAnyType, .metatypeType, .compositionType: true
      default: false
      }
    }

    /// Whether a column stores such values as JSON only.
    var isCollection: Bool {
      switch kind {
      case .arrayType, .dictionaryType: true
      default:
        ["Array", "Set", "Dictionary"].contains(self.as(IdentifierTypeSyntax.self)?.name.text)
      }
    }
  }
#endif
