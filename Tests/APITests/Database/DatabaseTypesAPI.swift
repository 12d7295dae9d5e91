import Foundation
import Quarry

func busyModes(_ mode: Database.BusyMode) {
  switch mode {
  case .immediateError: break
  case .timeout(let duration): let _: TimeInterval = duration
  case .callback(let callback): let _: Database.BusyCallback = callback
  }
}

func collationNames() {
  let _: [Database.CollationName] = [.binary, .nocase, .rtrim]
  let _: String = Database.CollationName(rawValue: "fr").rawValue
  let _: Set<Database.CollationName> = [.binary]
}

func columnTypes() {
  let types: [Database.ColumnType] = [
    .text, .jsonText, .jsonb, .integer, .double, .real, .numeric, .boolean, .blob, .date,
    .datetime, .any, Database.ColumnType(rawValue: "POINT"),
  ]
  let _: [String] = types.map(\.rawValue)
  let _: Set<Database.ColumnType> = Set(types)
}

func conflictResolutions(_ resolution: Database.ConflictResolution) {
  switch resolution {
  case .rollback, .abort, .fail, .ignore, .replace: break
  }
  let _: String = resolution.rawValue
  let _: Database.ConflictResolution? = .init(rawValue: "FAIL")
  let _: Set<Database.ConflictResolution> = [.abort]
}

func foreignKeyActions(_ action: Database.ForeignKeyAction) {
  switch action {
  case .cascade, .restrict, .setNull, .setDefault: break
  }
  let _: String = action.rawValue
  let _: Database.ForeignKeyAction? = .init(rawValue: "CASCADE")
  let _: Set<Database.ForeignKeyAction> = [.cascade]
}

func storageClasses() {
  let classes: [Database.StorageClass] = [
    .integer, .real, .text, .blob, .init(rawValue: "NUMERIC"),
  ]
  let _: [String] = classes.map(\.rawValue)
  let _: Set<Database.StorageClass> = Set(classes)
}

func transactionTypes(
  _ kind: Database.TransactionKind, _ completion: Database.TransactionCompletion
) {
  switch kind {
  case .deferred, .immediate, .exclusive: break
  }
  let _: String = kind.rawValue
  let _: Database.TransactionKind? = .init(rawValue: "DEFERRED")
  switch completion {
  case .commit, .rollback: break
  }
  let _: Set<Database.TransactionCompletion> = [completion]
}

func schemaIdentifiers() {
  let _: [DatabaseSchemaID] = [.main, .temp, .attached("archive")]
  let _: String = DatabaseSchemaID.main.name
  let _: String = DatabaseSchemaID.main.schemaTableName
  var object = DatabaseObjectID(name: "player", schemaID: .main)
  object.name = "team"
  object.schemaID = .temp
  let _: Set<DatabaseObjectID> = [object]
}
