// The C functions of the SQLite that the library uses: that of the system, or SQLCipher with the
// trait of that name. Only the module that is imported is linked.

#if SQLCipher
  @_exported public import CSQLCipher
#else
  @_exported public import CSystemSQLite
#endif
