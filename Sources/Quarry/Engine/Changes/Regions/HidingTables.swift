/// The schemas of the tables and views that hide others of their name, by the keys of the names.
/// Not only the first schema counts: the readers of a pool lack the temporary tables of the writer.
///
/// A name without schema is that of the first schema that has it: a temporary table hides one of
/// the main schema, which may hide one of an attached database. When that changes, requests for the
/// name read another table, whose changes are none of the region that was observed.
///
/// See <https://www.sqlite.org/lang_naming.html>.
typealias HidingTables = [BinaryText: [DatabaseSchemaID]]

extension Database {
  /// Called before a statement that changes the schema, while somebody observes.
  func willChangeSchema() {
    if broker.hidingTables == nil, !broker.regions.isEmpty { broker.hidingTables = hidingTables() }
  }

  /// Touches all regions if a transaction that is committed has hidden a table, or has shown one
  /// again.
  ///
  /// All of them, since the region of a view does not always name the view.
  func touchRegionsOfHiddenTables() {
    guard let former = broker.hidingTables.take() else { return }
    guard ignoringCancellation({ hidingTables() != former }) else { return }
    for observer in broker.regions.all { broker.touch(observer) }
  }

  private func hidingTables() -> HidingTables {
    guard let catalogs = try? schema.catalogs(named: nil) else { return [:] }
    if catalogs.count == 1, registeredTables.isEmpty { return [:] }
    var schemas: HidingTables = [:]
    for catalog in catalogs {
      for object in (try? schema.knownObjects(of: catalog)) ?? []
      where object.type == "table" || object.type == "view" {
        schemas[object.name.identifierKey, default: []].append(catalog.id)
      }
    }
    // Tables of modules come last.
    return schemas.filter { $0.value.count > 1 || registeredTables[$0.key] != nil }
  }
}
