import CSQLite
import Quarry

/// The abilities of the tables of a module: SQLite derives them from the functions that are there.
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
    unsafe Self.allFunctions.withLock { all in
      if let known = all[self] { return unsafe known.pointer }
      let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
      unsafe pointer.initialize(to: makeFunctions())
      all[self] = unsafe Functions(pointer: UnsafePointer(pointer))
      return unsafe UnsafePointer(pointer)
    }
  }

  /// The functions of a module never change once they are made.
  @safe private struct Functions: @unchecked Sendable { let pointer: UnsafePointer<sqlite3_module> }

  private static let allFunctions = Locked<[ModuleShape: Functions]>([:])

  private func makeFunctions() -> sqlite3_module {
    var module = sqlite3_module()
    module.iVersion = 2
    // A module without this function has an eponymous table only.
    unsafe module.xCreate = unsafe isCreatable ? VirtualTableCallbacks.create : nil
    unsafe module.xConnect = unsafe VirtualTableCallbacks.connect
    unsafe module.xBestIndex = unsafe VirtualTableCallbacks.bestIndex
    unsafe module.xDisconnect = unsafe VirtualTableCallbacks.disconnect
    unsafe module.xDestroy = unsafe VirtualTableCallbacks.destroy
    unsafe module.xOpen = unsafe VirtualTableCallbacks.open
    unsafe module.xClose = unsafe VirtualTableCallbacks.close
    unsafe module.xFilter = unsafe VirtualTableCallbacks.filter
    unsafe module.xNext = unsafe VirtualTableCallbacks.next
    unsafe module.xEof = unsafe VirtualTableCallbacks.isAtEnd
    unsafe module.xColumn = unsafe VirtualTableCallbacks.column
    unsafe module.xRowid = unsafe VirtualTableCallbacks.rowID
    unsafe module.xRename = unsafe VirtualTableCallbacks.rename
    if isWritable { unsafe module.xUpdate = unsafe VirtualTableCallbacks.update }
    if isTransactional { addTransactions(to: &module) }
    return module
  }

  private func addTransactions(to module: inout sqlite3_module) {
    unsafe module.xBegin = unsafe VirtualTableCallbacks.begin
    unsafe module.xSync = unsafe VirtualTableCallbacks.sync
    unsafe module.xCommit = unsafe VirtualTableCallbacks.commit
    unsafe module.xRollback = unsafe VirtualTableCallbacks.rollback
    unsafe module.xSavepoint = unsafe VirtualTableCallbacks.savepoint
    unsafe module.xRelease = unsafe VirtualTableCallbacks.release
    unsafe module.xRollbackTo = unsafe VirtualTableCallbacks.rollbackTo
  }
}
