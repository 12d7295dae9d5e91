import CSQLite

/// What the tables of a module can do: SQLite looks at the functions that are there.
struct ModuleShape: Hashable {
  /// Tables are created by statements. Otherwise there is one, with the name of the module.
  var isCreatable: Bool
  var isWritable: Bool
  var isTransactional: Bool

  init<T: VirtualTable>(_ type: T.Type, isCreatable: Bool) {
    self.isCreatable = isCreatable
    isWritable = type is any WritableVirtualTable.Type
    isTransactional = type is any TransactionalVirtualTable.Type
  }

  /// The functions, which SQLite uses as long as the connection is open. They are kept for ever.
  var functions: UnsafePointer<sqlite3_module> {
    Self.allFunctions.withLock { all in
      if let known = all[self] { return known.pointer }
      let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
      pointer.initialize(to: makeFunctions())
      all[self] = Functions(pointer: UnsafePointer(pointer))
      return UnsafePointer(pointer)
    }
  }

  /// The functions of a module never change once they are made.
  private struct Functions: @unchecked Sendable {
    let pointer: UnsafePointer<sqlite3_module>
  }

  private static let allFunctions = Locked<[ModuleShape: Functions]>([:])

  private func makeFunctions() -> sqlite3_module {
    var module = sqlite3_module()
    module.iVersion = 2
    // A module without this function has an eponymous table only.
    module.xCreate = isCreatable ? VirtualTableCallbacks.create : nil
    module.xConnect = VirtualTableCallbacks.connect
    module.xBestIndex = VirtualTableCallbacks.bestIndex
    module.xDisconnect = VirtualTableCallbacks.disconnect
    module.xDestroy = VirtualTableCallbacks.destroy
    module.xOpen = VirtualTableCallbacks.open
    module.xClose = VirtualTableCallbacks.close
    module.xFilter = VirtualTableCallbacks.filter
    module.xNext = VirtualTableCallbacks.next
    module.xEof = VirtualTableCallbacks.isAtEnd
    module.xColumn = VirtualTableCallbacks.column
    module.xRowid = VirtualTableCallbacks.rowID
    module.xRename = VirtualTableCallbacks.rename
    if isWritable { module.xUpdate = VirtualTableCallbacks.update }
    if isTransactional { addTransactions(to: &module) }
    return module
  }

  private func addTransactions(to module: inout sqlite3_module) {
    module.xBegin = VirtualTableCallbacks.begin
    module.xSync = VirtualTableCallbacks.sync
    module.xCommit = VirtualTableCallbacks.commit
    module.xRollback = VirtualTableCallbacks.rollback
    module.xSavepoint = VirtualTableCallbacks.savepoint
    module.xRelease = VirtualTableCallbacks.release
    module.xRollbackTo = VirtualTableCallbacks.rollbackTo
  }
}
