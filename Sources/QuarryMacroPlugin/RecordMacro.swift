#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `@Record`: the columns and the conformances of a record type.
  enum RecordMacro: TextMacro {}

  // The compiler expands both roles: the one for members reports the mistakes.

  extension RecordMacro: MemberMacro {
    static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let report = { context.diagnose($0) }
      guard
        let record = RecordDeclaration(
          declaration, .record(node), isNested: context.isNested, report)
      else { return [] }
      var members = TypeAliases(context).declarations(of: record)
      if !record.declares("Columns") { members.append(record.columns) }
      // A designated initializer of a class stands in the class.
      if record.isClass, !record.declares("init(row:)") { members.append(record.rowInitializer) }
      return members.map(DeclSyntax.init(text:))
    }
  }

  extension RecordMacro: ExtensionMacro {
    static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      guard
        let record = RecordDeclaration(
          declaration, .record(node), isNested: context.isNested, { _ in })
      else { return [] }
      let missing = Set(protocols.map(\.trimmedDescription))
      let conformance = record.inExtension(TypeAliases(context))
        .conformance(of: type.trimmedDescription, missing: missing)
      return [ExtensionDeclSyntax(text: conformance)]
    }
  }

  /// `@Embeddable`: the columns of a type that records embed.
  enum EmbeddableMacro: MemberMacro, ExtensionMacro, TextMacro {
    static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let report = { context.diagnose($0) }
      if let declaration = declaration.as(EnumDeclSyntax.self) {
        guard
          let enumeration = EnumerationDeclaration(
            declaration, isNested: context.isNested, report)
        else { return [] }
        let aliases = TypeAliases(context).declarations(of: enumeration)
        return (aliases + [enumeration.names] + [false, true].map(enumeration.embeddedColumns))
          .map(DeclSyntax.init(text:))
      }
      guard
        let type = RecordDeclaration(
          declaration, .embeddable(node), isNested: context.isNested, report)
      else { return [] }
      return
        (TypeAliases(context).declarations(of: type) + [false, true].map(type.embeddedColumns))
        .map(DeclSyntax.init(text:))
    }

    static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      if let declaration = declaration.as(EnumDeclSyntax.self) {
        guard
          let enumeration = EnumerationDeclaration(
            declaration, isNested: context.isNested, { _ in })
        else { return [] }
        let conformance = enumeration.conformance(
          of: type.trimmedDescription, TypeAliases(context))
        return [ExtensionDeclSyntax(text: conformance)]
      }
      guard
        let embedded = RecordDeclaration(
          declaration, .embeddable(node), isNested: context.isNested, { _ in })
      else { return [] }
      let conformance = embedded.inExtension(TypeAliases(context))
        .embeddableConformance(of: type.trimmedDescription)
      return [ExtensionDeclSyntax(text: conformance)]
    }
  }

  /// `@PrimaryKey`, `@Column`, `@JSON`, `@Ignored`, `@Embedded`: read by the macro of their type,
  /// and nothing by themselves.
  enum PropertyAttributeMacro: PeerMacro, TextMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let type = context.lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)
      let isRead = type?.attributes.contains {
        ["Record", "Embeddable"].contains($0.as(AttributeSyntax.self)?.name)
      }
      if isRead != true { context.diagnose(Misuse.withoutRecord(node).diagnostic) }
      return []
    }
  }
#endif
