#if Macros
  import SwiftSyntaxMacros

  extension MacroExpansionContext {
    /// Whether there is an enclosing type.
    var isNested: Bool { !lexicalContext.isEmpty }
  }

  /// Names of the types of properties, for a type that is nested in another one.
  ///
  /// The code of an extension macro stands at the top of the file, and does not see the types that
  /// are declared beside the record in its enclosing type. The code of a member macro sees them,
  /// and declares an alias for each.
  struct TypeAliases {
    static let name = "_Types"

    /// Whether there is an enclosing type.
    let areNeeded: Bool

    init(_ context: some MacroExpansionContext) { areNeeded = context.isNested }

    /// The aliases of the types of a record, as members. None, if they aren't needed.
    func declarations(of record: RecordDeclaration) -> [String] {
      let aliases = record.properties.flatMap { property in
        // The property `id`, which is generated, has the access of the record.
        let isOfID = property.identifier == record.keyOfID?.identifier
        let access = isOfID ? record.access : property.access
        let type: Alias? = (access, Self.type(property.plainIdentifier), property.type)
        // Only bodies name it.
        let coding: Alias? = property.coding.map { ("fileprivate ", Self.coding(property), $0) }
        return [type, coding].compactMap(\.self)
      }
      return declarations(record.access, aliases)
    }

    /// The aliases of the types of associated values.
    func declarations(of enumeration: EnumerationDeclaration) -> [String] {
      declarations(
        enumeration.access,
        enumeration.values.map { (enumeration.access, Self.type($0.column), $0.type) })
    }

    private typealias Alias = (access: String, name: String, type: String)

    private func declarations(_ access: String, _ aliases: [Alias]) -> [String] {
      guard areNeeded, !aliases.isEmpty else { return [] }
      let lines = aliases.map { "  \($0.access)typealias \($0.name) = \($0.type)" }
      return ["nonisolated \(access)enum \(Self.name) {\n\(lines.joined(separator: "\n"))\n}"]
    }

    /// A property with its types by their aliases.
    func naming(_ property: Property) -> Property {
      var property = property
      property.alias = qualified(Self.type(property.plainIdentifier))
      property.coding = property.coding.map { _ in qualified(Self.coding(property)) }
      return property
    }

    /// The type of an associated value, for an extension.
    func type(of value: EnumerationDeclaration.Value) -> String {
      areNeeded ? qualified(Self.type(value.column)) : value.type
    }

    private func qualified(_ alias: String) -> String { "\(Self.name).\(alias)" }

    private static func type(_ name: String) -> String { "type_\(name)".asIdentifier }

    private static func coding(_ property: Property) -> String {
      "coding_\(property.plainIdentifier)".asIdentifier
    }
  }
#endif
