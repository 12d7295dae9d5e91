#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// A macro whose code is a text with its own line breaks.
  ///
  /// The compiler parses the text that it gets. Parsed and formatted before, in a debug build of
  /// swift-syntax, an expansion takes four times as long: 21 ms instead of 5.
  protocol TextMacro: Macro {}

  extension TextMacro {
    static var formatMode: FormatMode { .disabled }
  }

  extension DeclSyntax {
    /// A declaration that is not parsed.
    init(text: String) { self.init(MissingDeclSyntax(placeholder: .identifier(text))) }
  }

  extension ExtensionDeclSyntax {
    /// An extension that is not parsed.
    init(text: String) {
      self.init(
        extensionKeyword: .identifier(text), extendedType: .empty,
        memberBlock: MemberBlockSyntax(leftBrace: .empty, members: [], rightBrace: .empty))
    }
  }

  extension TokenSyntax {
    fileprivate static var empty: TokenSyntax { .identifier("") }
  }

  extension TypeSyntaxProtocol where Self == MissingTypeSyntax {
    fileprivate static var empty: MissingTypeSyntax { MissingTypeSyntax(placeholder: .empty) }
  }
#endif
