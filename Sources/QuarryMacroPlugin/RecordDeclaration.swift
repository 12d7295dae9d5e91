#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  /// What a macro reads from the declaration of its type.
  struct RecordDeclaration {
    enum Purpose {
      case record(AttributeSyntax)
      case embeddable(AttributeSyntax)

      var attribute: AttributeSyntax {
        switch self {
        case .record(let attribute), .embeddable(let attribute): attribute
        }
      }

      var isRecord: Bool { if case .record = self { true } else { false } }
    }

    let name: String
    let isClass: Bool
    /// The access of the type, for its members, with a space if there is any.
    let access: String
    /// The attributes `@available`, for extensions.
    let availability: [String]
    private(set) var properties: [Property]
    let tableName: String?
    let isReadOnly: Bool
    /// The members that the type declares: names, with the labels of functions.
    private let members: Set<String>
    /// Whether the type has the property `id` of `Identifiable`: a generated one, or one that is as
    /// visible as the type.
    let isIdentifiable: Bool
    /// Whether the declaration names `Identifiable`: the property may be generated all the same.
    let namesIdentifiable: Bool

    /// - parameter report: receives all mistakes. With any, the result is nil.
    init?(
      _ declaration: some DeclGroupSyntax, _ purpose: Purpose, isNested: Bool,
      _ report: (Diagnostic) -> Void
    ) {
      let structure = declaration.as(StructDeclSyntax.self)
      let object = declaration.as(ClassDeclSyntax.self)
      guard let name = structure?.name ?? (purpose.isRecord ? object?.name : nil) else {
        report(Misuse.wrongKind(declaration, purpose.attribute.name).diagnostic)
        return nil
      }
      self.name = name.text
      isClass = object != nil
      access = declaration.modifiers.access(for: .member)
      availability = declaration.attributes.availability
      members = declaration.memberBlock.members.names
      namesIdentifiable = declaration.names("Identifiable")

      var reader = DeclarationReader(of: name.text, isRecord: purpose.isRecord)
      if isNested, let misuse = Misuse.ofAccess(declaration) { reader.misuses.append(misuse) }
      if let object, !object.modifiers.has(.final) { reader.misuses.append(.openClass(object)) }
      tableName = reader.tableName(purpose.attribute)
      isReadOnly = reader.flag("readOnly", of: purpose.attribute)
      reader.read(declaration.memberBlock)
      if reader.properties.isEmpty, reader.misuses.isEmpty {
        reader.misuses.append(.withoutColumn(declaration, name.text))
      }
      properties = reader.properties
      let level = max(declaration.modifiers.accessLevel, .file)
      isIdentifiable =
        declaration.memberBlock.members.accessOfID.map { $0 >= level }
        ?? properties.contains(where: \.isPrimaryKey)
      if purpose.isRecord {
        let block = declaration.memberBlock.members
        let isEncoded = !isReadOnly && !members.contains("encode(to:)")
        let unused =
          (isEncoded ? block.strategies(of: "Encod") : [])
          + (members.contains("init(row:)") ? [] : block.strategies(of: "Decod"))
        reader.misuses += unused.map(Misuse.strategy)
      }
      for misuse in reader.misuses { report(misuse.diagnostic) }
      guard reader.misuses.isEmpty else { return nil }
    }

    /// Whether the type declares a member by hand, which is left alone.
    func declares(_ member: String) -> Bool { members.contains(member) }

    var primaryKey: Property? { properties.first { $0.isPrimaryKey } }

    /// The key that a generated property `id` returns, unless there is an `id` already.
    var keyOfID: Property? { primaryKey.flatMap { declares("id") ? nil : $0 } }

    /// The key with a coding that `id` is, or returns.
    var codedID: Property? {
      guard isIdentifiable, let key = primaryKey, key.coding != nil else { return nil }
      return key.plainIdentifier == "id" || keyOfID != nil ? key : nil
    }

    /// The declaration as an extension sees it: types by their aliases.
    func inExtension(_ aliases: TypeAliases) -> RecordDeclaration {
      guard aliases.areNeeded else { return self }
      var record = self
      for index in properties.indices {
        record.properties[index] = aliases.naming(properties[index])
      }
      return record
    }
  }

  /// Where a declaration is visible.
  enum AccessLevel: Comparable {
    case type, file, module, package, all
  }

  extension DeclGroupSyntax {
    /// Whether the declaration names a protocol of Swift.
    fileprivate func names(_ protocolName: String) -> Bool {
      inheritanceClause?.inheritedTypes.contains {
        [protocolName, "Swift.\(protocolName)"].contains($0.type.trimmedDescription)
      } == true
    }
  }

  extension DeclModifierListSyntax {
    enum Place {
      case member
      case column
    }

    func has(_ keyword: Keyword) -> Bool { contains { $0.name.tokenKind == .keyword(keyword) } }

    var accessLevel: AccessLevel {
      for modifier in self where modifier.detail == nil {
        switch modifier.name.tokenKind {
        case .keyword(.public), .keyword(.open): return .all
        case .keyword(.package): return .package
        case .keyword(.fileprivate): return .file
        case .keyword(.private): return .type
        default: continue
        }
      }
      return .module
    }

    /// The access of what is generated for a declaration, with a space if there is any.
    func access(for place: Place) -> String {
      switch accessLevel {
      case .all: "public "
      case .package: "package "
      case .module: ""
      // A column stands in another type than its property.
      case .file, .type: place == .column ? "fileprivate " : ""
      }
    }
  }

  extension AttributeListSyntax {
    var availability: [String] {
      compactMap { $0.as(AttributeSyntax.self) }.filter { $0.name == "available" }
        .map(\.trimmedDescription)
    }
  }

  extension VariableDeclSyntax {
    /// The names of the variables. A static `id` is another one than that of `Identifiable`.
    fileprivate var names: [String] {
      let isStatic = modifiers.has(.static) || modifiers.has(.class)
      return bindings.map { $0.pattern.trimmedDescription.trimmingBackticks }
        .filter { !(isStatic && $0 == "id") }
    }
  }

  extension MemberBlockItemListSyntax {
    /// The members, also those of all clauses of `#if`.
    var declarations: [DeclSyntax] {
      flatMap { $0.decl.as(IfConfigDeclSyntax.self)?.declarations ?? [$0.decl] }
    }

    /// The names of members that macros would write too: variables, types, functions with their
    /// labels.
    fileprivate var names: Set<String> {
      var names: Set<String> = []
      for member in declarations {
        if let variable = member.as(VariableDeclSyntax.self) {
          names.formUnion(variable.names)
        } else if let function = member.as(FunctionDeclSyntax.self) {
          // A `Codable` type may write `encode(to:)` for encoders.
          let type = function.signature.parameterClause.parameters.first?.type
          let isForEncoders =
            function.name.text == "encode"
            && type?.trimmedDescription.contains("PersistenceContainer") == false
          if isForEncoders { continue }
          names.insert(function.name.text + labels(function.signature))
        } else if let initializer = member.as(InitializerDeclSyntax.self) {
          names.insert("init" + labels(initializer.signature))
        } else if let type = member.asProtocol((any NamedDeclSyntax).self) {
          names.insert(type.name.text)
        }
      }
      return names
    }

    /// The access of the property `id` of instances.
    fileprivate var accessOfID: AccessLevel? {
      declarations.lazy.compactMap { $0.as(VariableDeclSyntax.self) }
        .first { $0.names.contains("id") }?.modifiers.accessLevel
    }

    /// The strategies and JSON coders of `Codable` records, for encoding or for decoding.
    fileprivate func strategies(of direction: String) -> [DeclSyntax] {
      declarations.filter { member in
        let name = member.as(FunctionDeclSyntax.self)?.name.text
        let names = member.as(VariableDeclSyntax.self)?.names ?? []
        return (names + [name].compactMap(\.self)).contains {
          $0.hasPrefix("database") && $0.hasSuffix("\(direction)ingStrategy")
            || $0 == "databaseJSON\(direction)er"
        }
      }
    }

    private func labels(_ signature: FunctionSignatureSyntax) -> String {
      "(" + signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined() + ")"
    }
  }

  extension IfConfigDeclSyntax {
    /// The members of all clauses.
    var declarations: [DeclSyntax] {
      clauses.flatMap { $0.elements?.as(MemberBlockItemListSyntax.self)?.declarations ?? [] }
    }
  }
#endif
