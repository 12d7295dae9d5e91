#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxBuilder

  /// A mistake in a declaration, with the ways out that an editor offers.
  struct Misuse {
    let id: String
    let node: Syntax
    let message: String
    var fixes: [FixIt] = []

    init(_ id: String, at node: some SyntaxProtocol, _ message: String, _ fixes: [FixIt] = []) {
      self.id = id
      self.node = Syntax(node)
      self.message = message
      self.fixes = fixes
    }

    var diagnostic: Diagnostic {
      Diagnostic(node: node, message: Message(text: message, id: id), fixIts: fixes)
    }

    private struct Message: DiagnosticMessage, FixItMessage {
      let text: String
      let id: String
      var message: String { text }
      var diagnosticID: MessageID { MessageID(domain: "QuarryMacros", id: id) }
      var fixItID: MessageID { diagnosticID }
      var severity: DiagnosticSeverity { .error }
    }

    private static func fix(
      _ text: String, _ old: some SyntaxProtocol, _ new: some SyntaxProtocol
    ) -> FixIt {
      FixIt(
        message: Message(text: text, id: "fix"),
        changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }
  }

  extension Misuse {
    static func wrongKind(_ declaration: some DeclGroupSyntax, _ attribute: String) -> Misuse {
      let classes = attribute == "Record" ? " or a final class" : " or an enumeration"
      return Misuse(
        "wrongKind", at: declaration.introducer,
        "@\(attribute) applies to a structure\(classes)")
    }

    static func openClass(_ declaration: ClassDeclSyntax) -> Misuse {
      var final = declaration
      final.modifiers =
        declaration.modifiers + [
          DeclModifierSyntax(name: .keyword(.final, trailingTrivia: .space))
        ]
      // The introducer loses what stands before it to the modifier, if it came first.
      if declaration.modifiers.isEmpty {
        final.modifiers[final.modifiers.startIndex].leadingTrivia =
          declaration.classKeyword.leadingTrivia
        final.classKeyword.leadingTrivia = []
      }
      return Misuse(
        "openClass", at: declaration.classKeyword,
        "@Record applies to a final class: a subclass would inherit an incomplete `init(row:)`",
        [fix("add 'final'", declaration, final)])
    }

    /// The reason why no extension sees a type in another one.
    static func ofAccess(_ declaration: some DeclGroupSyntax) -> Misuse? {
      guard declaration.modifiers.accessLevel == .type else { return nil }
      return Misuse(
        "privateRecord", at: declaration.introducer,
        "generated code does not see a private type in another type: make it 'fileprivate'")
    }

    static func privateType(_ name: TokenSyntax) -> Misuse {
      Misuse(
        "privateType", at: name,
        "the column is seen in the file, and '\(name.text)' is private: make it 'fileprivate'")
    }

    static func withoutRecord(_ attribute: AttributeSyntax) -> Misuse {
      Misuse(
        "withoutRecord", at: attribute,
        "@\(attribute.name) has a meaning for stored properties of types with @Record or @Embeddable"
      )
    }

    static func strategy(_ member: DeclSyntax) -> Misuse {
      Misuse(
        "strategy", at: member,
        "strategies and coders have no effect here: use `@Column(as:)` or `@Column(\"name\")`"
      )
    }

    static func withoutColumn(_ declaration: some DeclGroupSyntax, _ name: String) -> Misuse {
      Misuse(
        "withoutColumn", at: declaration.introducer, "\(name) has no stored property for a column")
    }
  }

  extension Misuse {
    static func withoutType(_ binding: PatternBindingSyntax) -> Misuse {
      let type = binding.initializer?.value.literalType
      var typed = binding
      typed.pattern.trailingTrivia = []
      let annotation = TypeSyntax("\(raw: type ?? "<#Type#>")").with(\.trailingTrivia, .space)
      typed.typeAnnotation = TypeAnnotationSyntax(
        colon: .colonToken(trailingTrivia: .space), type: annotation)
      return Misuse(
        "withoutType", at: binding.pattern,
        "the type of a column must be declared: macros see no inferred types",
        [fix("declare the type\(type.map { " '\($0)'" } ?? "")", binding, typed)])
    }

    static func conditional(_ variable: VariableDeclSyntax) -> Misuse {
      Misuse(
        "conditional", at: variable,
        "a column can't depend on `#if`: macros don't know which condition holds",
        [adding("Ignored", to: variable)])
    }

    static func pattern(_ binding: PatternBindingSyntax) -> Misuse {
      Misuse("pattern", at: binding.pattern, "each column needs a property with a name of its own")
    }

    static func initializedConstant(_ variable: VariableDeclSyntax, _ name: String) -> Misuse {
      var mutable = variable
      mutable.bindingSpecifier = .keyword(
        .var, leadingTrivia: variable.bindingSpecifier.leadingTrivia, trailingTrivia: .space)
      return Misuse(
        "initializedConstant", at: variable.bindingSpecifier,
        "'\(name)' has a value already: `init(row:)` can't set it",
        [fix("use 'var'", variable, mutable), adding("Ignored", to: variable)])
    }

    static func notStored(_ attribute: AttributeSyntax, _ variable: VariableDeclSyntax) -> Misuse {
      Misuse(
        "notStored", at: attribute,
        "@\(attribute.name) applies to stored properties of instances",
        [removing(attribute, from: variable)])
    }

    static func unsupportedType(_ type: TypeSyntax, _ variable: VariableDeclSyntax) -> Misuse {
      Misuse(
        "unsupportedType", at: type, "a column can't store '\(type.trimmedDescription)'",
        [adding("Ignored", to: variable)])
    }

    static func collection(_ type: TypeSyntax, _ variable: VariableDeclSyntax) -> Misuse {
      Misuse(
        "collection", at: type,
        "a column stores '\(type.trimmedDescription)' as JSON, or by a coding: `@Column(as:)`",
        [adding("JSON", to: variable)])
    }

    static func ignoredWithoutValue(_ binding: PatternBindingSyntax, _ name: String) -> Misuse {
      var initialized = binding
      initialized.initializer = InitializerClauseSyntax(
        equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
        value: EditorPlaceholderExprSyntax(placeholder: .identifier("<#value#>")))
      return Misuse(
        "ignoredWithoutValue", at: binding.pattern,
        "'\(name)' is not fetched, and so needs a value",
        [fix("add a value", binding, initialized)])
    }

    static func secondKey(_ attribute: AttributeSyntax, _ variable: VariableDeclSyntax) -> Misuse {
      Misuse(
        "secondKey", at: attribute,
        "a record has one @PrimaryKey: a key of several columns is declared by the table alone",
        [removing(attribute, from: variable)])
    }

    static func keyOfEmbedded(
      _ attribute: AttributeSyntax, _ variable: VariableDeclSyntax
    ) -> Misuse {
      Misuse(
        "keyOfEmbedded", at: attribute, "@PrimaryKey is one column of a record",
        [removing(attribute, from: variable)])
    }

    static func conflict(
      _ attribute: AttributeSyntax, _ other: String, _ variable: VariableDeclSyntax
    ) -> Misuse {
      Misuse(
        "conflict", at: attribute, "@\(attribute.name) and \(other) exclude each other",
        [removing(attribute, from: variable)])
    }

    static func columnName(_ argument: ExprSyntax) -> Misuse {
      Misuse(
        "columnName", at: argument,
        "the name is a literal, neither empty nor interpolated: macros see no values")
    }

    static func metatype(_ argument: ExprSyntax) -> Misuse {
      Misuse("metatype", at: argument, "the coding is a type, such as `UnixSeconds.self`")
    }

    static func literalFlag(_ argument: ExprSyntax) -> Misuse {
      Misuse("literalFlag", at: argument, "the argument is 'true' or 'false': macros see no values")
    }

    static func sameColumn(_ pattern: PatternSyntax, _ column: String, _ other: String) -> Misuse {
      Misuse("sameColumn", at: pattern, "'\(other)' has the column \"\(column)\" already")
    }
  }

  extension Misuse {
    private static func removing(
      _ attribute: AttributeSyntax, from variable: VariableDeclSyntax
    ) -> FixIt {
      var changed = variable
      changed.attributes = variable.attributes.filter { $0.id != attribute.id }
      // The first token keeps what stands before the declaration.
      changed.leadingTrivia = variable.leadingTrivia
      return fix("remove '@\(attribute.name)'", variable, changed)
    }

    private static func adding(_ name: String, to variable: VariableDeclSyntax) -> FixIt {
      var changed = variable
      changed.leadingTrivia = []
      let attribute = AttributeSyntax("@\(raw: name)").with(\.trailingTrivia, .space)
        .with(\.leadingTrivia, variable.leadingTrivia)
      changed.attributes = [.attribute(attribute)] + changed.attributes
      return fix("add '@\(name)'", variable, changed)
    }
  }
#endif
