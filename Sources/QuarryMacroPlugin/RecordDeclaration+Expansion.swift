#if Macros
  // The generated code. Literals are written as `debugDescription`, which escapes quotation marks.

  extension RecordDeclaration {
    /// The typed columns of a record.
    var columns: String {
      let columns = properties.map { property in
        let declaration = property.columnDeclaration(
          of: name, name: property.column.debugDescription)
        return "  \(property.access)static var \(declaration)"
      }
      return """
        nonisolated \(access)enum Columns {
        \(columns.joined(separator: "\n"))
        }
        """
    }

    /// The typed columns of an embedded type, whose names begin with a prefix; all are optional for
    /// a property that is.
    func embeddedColumns(isOptional: Bool) -> String {
      let columns = properties.map { property in
        var property = property
        property.isOptional = property.isOptional || isOptional
        let name = "_prefix + \(property.column.debugDescription)"
        return "  \(property.access)var \(property.columnDeclaration(of: "_Record", name: name))"
      }
      return """
        nonisolated \(access)struct \(Property.columnsType(isOptional))<_Record>: Sendable {
          \(access)let _prefix: String
          \(access)init(prefix: String) {
            self._prefix = prefix
          }
        \(columns.joined(separator: "\n"))
        }
        """
    }

    /// The conformances of a record.
    ///
    /// - parameter missing: the protocols that the type does not conform to by hand.
    func conformance(of type: String, missing: Set<String>) -> String {
      let protocols = protocols(missing)
      var members: [String] = []
      if let tableName, !declares("databaseTableName") {
        members.append(
          "\(access)static var databaseTableName: String { \(tableName.debugDescription) }")
      }
      members.append(
        function("\(access)static var _columns: [_DeclaredColumn]", [declaredColumns(prefix: nil)]))
      if !isClass, !declares("init(row:)") { members.append(rowInitializer) }
      if !isReadOnly {
        if !declares("encode(to:)") { members.append(encoder) }
        if let automaticKey, !declares("didInsert(_:)") { members.append(didInsert(automaticKey)) }
      }
      if let key = keyOfID, namesIdentifiable || protocols.contains("Identifiable") {
        members.append("\(access)var id: \(key.fullType) { \(key.identifier) }")
      }
      if let key = codedID, let coding = key.coding, protocols.contains("_CodedKeyRecord") {
        members.append(
          """
          \(access)static var _keyCoding: ValueCoding<\(key.fullType)> {
            TypedColumn<Self, \(key.fullType)>(\(key.columnName(prefix: nil)), as: \(coding).self)
              .coding
          }
          """)
      }
      return extensionOf(type, protocols, members)
    }

    /// The protocols that the type lacks. The compiler does not add those that others inherit, if a
    /// macro may add them.
    private func protocols(_ missing: Set<String>) -> [String] {
      var protocols = ["FetchableRecord", "TableRecord"]
      if !isReadOnly {
        protocols.append("MutablePersistableRecord")
        // A type that declares the mutable protocol keeps to it.
        if missing.contains("MutablePersistableRecord"), !isMutatedByInsertions {
          protocols.append("PersistableRecord")
        }
      }
      if isIdentifiable { protocols.append("Identifiable") }
      protocols.append("_GeneratedRecord")
      if codedID != nil { protocols.append("_CodedKeyRecord") }
      return protocols.filter(missing.contains)
    }

    /// The key that insertions set, unless the type does it by hand.
    private var automaticKey: Property? { primaryKey.flatMap { $0.isAutomaticKey ? $0 : nil } }

    private var isMutatedByInsertions: Bool {
      !isClass && (automaticKey != nil || declares("didInsert(_:)") || declares("willInsert(_:)"))
    }

    /// `init(row:)`
    var rowInitializer: String {
      function(
        "\(isClass ? "nonisolated " : "")\(access)init(row: Quarry.Row) throws",
        ["let isInOrder = try row._startsWith(Self._columnNames(), of: Self.self)"]
          + decoding(start: nil, prefix: nil))
    }

    private var encoder: String {
      function(
        "\(access)func encode(to container: inout Quarry.PersistenceContainer) throws",
        properties.map { $0.encoding(prefix: nil) } + columnCheck)
    }

    /// Macros don't see the columns of embedded types: two of one name show in their number.
    private var columnCheck: [String] {
      guard properties.contains(where: \.isEmbedded) else { return [] }
      let count = columnCount(properties[...])
      return ["if container.count < \(count) { _ = try Self._columnNames() }"]
    }

    /// A given key stays where its column is no alias of the rowid, which is another number then.
    private func didInsert(_ key: Property) -> String {
      let column = key.column.lowercased().debugDescription
      let rowID = key.type.hasSuffix("Int64") ? "inserted.rowID" : "\(key.type)(inserted.rowID)"
      return function(
        "\(access)\(isClass ? "" : "mutating ")func didInsert(_ inserted: Quarry.InsertionSuccess)",
        [
          """
          if self.\(key.identifier) != nil, inserted.rowIDColumn?.lowercased() != \(column) { return }
          """,
          "self.\(key.identifier) = \(rowID)",
        ])
    }
  }

  extension RecordDeclaration {
    /// The conformance of a type that records embed.
    func embeddableConformance(of type: String) -> String {
      let members = [
        "\(access)static var _columnCount: Int { \(columnCount(properties[...])) }",
        function(
          "\(access)static func _columns(prefix: String) -> [_DeclaredColumn]",
          [declaredColumns(prefix: "prefix")]),
        function(
          """
          \(access)init(
            _ row: Quarry.Row, from start: Int, prefix: @autoclosure () -> String, isInOrder: Bool
          ) throws
          """, decoding(start: "start", prefix: "prefix()")),
        function(
          """
          \(access)func _encode(
            to container: inout Quarry.PersistenceContainer, prefix: String
          ) throws
          """, properties.map { $0.encoding(prefix: "prefix") }),
      ]
      return extensionOf(type, ["EmbeddableRecord"], members)
    }

    private func extensionOf(_ type: String, _ protocols: [String], _ members: [String]) -> String {
      let inherited = protocols.isEmpty ? "" : ": \(protocols.joined(separator: ", "))"
      let lines = members.map { $0.indented }
      return """
        \((availability + ["nonisolated extension \(type)\(inherited)"]).joined(separator: "\n")) {
        \(lines.joined(separator: "\n\n"))
        }
        """
    }

    private func function(_ signature: String, _ body: [String]) -> String {
      """
      \(signature) {
      \(body.joined(separator: "\n").indented)
      }
      """
    }

    /// The number of columns of some properties, as an expression.
    private func columnCount(_ properties: ArraySlice<Property>) -> String {
      let plain = properties.count { !$0.isEmbedded }
      let embedded = properties.filter(\.isEmbedded).map { " + \($0.fullType)._columnCount" }
      return "\(plain)\(embedded.joined())"
    }

    /// The declarations of all columns, as an expression.
    private func declaredColumns(prefix: String?) -> String {
      var terms: [String] = []
      var columns: [String] = []
      func endColumns() {
        if !columns.isEmpty { terms.append("[\n\(columns.map { "  \($0),\n" }.joined())]") }
        columns = []
      }
      for property in properties {
        if property.isEmbedded {
          endColumns()
          let name = property.columnName(prefix: prefix)
          terms.append("\(property.fullType)._columns(prefix: \(name))")
        } else {
          columns.append(property.declaredColumn(prefix: prefix))
        }
      }
      endColumns()
      return terms.joined(separator: " + ")
    }

    private func decoding(start: String?, prefix: String?) -> [String] {
      properties.indices.map { index in
        let offset = columnCount(properties[..<index])
        let position = start.map { "\($0) + \(offset)" } ?? offset
        return properties[index].decoding(at: position, prefix: prefix)
      }
    }
  }

  extension Property {
    /// The name of the column, or of the prefix, as an expression.
    func columnName(prefix: String?) -> String {
      let literal = column.debugDescription
      return prefix.map { "\($0) + \(literal)" } ?? literal
    }

    /// `_DeclaredColumn("score", Int.self)`
    func declaredColumn(prefix: String?) -> String {
      var arguments = "\(columnName(prefix: prefix)), \(fullType).self"
      if let coding { arguments += ", as: \(coding).self" }
      if isPrimaryKey { arguments += ", isPrimaryKey: true" }
      return "_DeclaredColumn(\(arguments))"
    }

    /// `score: TypedColumn<Player, Int> { … }`
    func columnDeclaration(of record: String, name: String) -> String {
      if isEmbedded {
        let columns = "\(type).\(Self.columnsType(isOptional))<\(record)>"
        return "\(identifier): \(columns) { .init(prefix: \(name)) }"
      }
      let coding = coding.map { ", as: \($0).self" } ?? ""
      return "\(identifier): TypedColumn<\(record), \(fullType)> { .init(\(name)\(coding)) }"
    }

    /// The type of the columns of an embedded property.
    static func columnsType(_ isOptional: Bool) -> String {
      isOptional ? "OptionalColumns" : "EmbeddedColumns"
    }

    func decoding(at position: String, prefix: String?) -> String {
      let name = columnName(prefix: prefix)
      if isEmbedded {
        return """
          self.\(identifier) = try \(fullType)(
            row, from: \(position), prefix: \(name), isInOrder: isInOrder)
          """
      }
      let arguments = "at: \(position), or: \(name), inOrder: isInOrder"
      guard let coding else { return "self.\(identifier) = try row._decode(\(arguments))" }
      let function = isOptional ? "_decodeIfPresent" : "_decode"
      return "self.\(identifier) = try row.\(function)(by: \(coding).self, \(arguments))"
    }

    func encoding(prefix: String?) -> String {
      let name = columnName(prefix: prefix)
      if isEmbedded { return "try self.\(identifier)._encode(to: &container, prefix: \(name))" }
      guard let coding else { return "container._set(\(name), to: self.\(identifier))" }
      return "try container._set(\(name), to: self.\(identifier), by: \(coding).self)"
    }
  }

  extension String {
    fileprivate var indented: String {
      split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    }
  }
#endif
