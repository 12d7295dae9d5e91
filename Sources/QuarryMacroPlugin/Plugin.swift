#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  /// The executable that the compiler starts to expand the macros of the module QuarryMacros.
  @main
  struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
      RecordMacro.self, EmbeddableMacro.self, PropertyAttributeMacro.self,
    ]
  }
#else
  /// Without the trait, the executable exists, and provides no macro: swift-syntax is not built.
  @main
  enum Plugin {
    static func main() {}
  }
#endif
