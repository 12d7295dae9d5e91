#if Macros
  @_exported public import Quarry
#endif
