import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

extension Toolkit {
  /// Records by macro, which the peer does not have.
  func macroPass(for line: Line) -> Pass? {
    #if Macros && !PEER
      switch line {
      case .macro: reading(all(MacroPlayer.self, from: "player"))
      case .pairsByMacro:
        reading(
          all(
            MacroBook.including(required: MacroBook.author),
            of: MacroPair<MacroBook, MacroAuthor>.self))
      case .childrenByMacro:
        reading(
          all(
            MacroAuthor.including(all: MacroAuthor.books),
            of: MacroFamily<MacroAuthor, MacroBook>.self))
      case .insertMacro:
        writing("newcomer", IndexedPlayer.self, insert(Dataset.newcomers.map(MacroNewcomer.init)))
      case .narrowMacro: reading(all(MacroLoan.self, from: "loan"))
      case .narrowPairsByMacro:
        reading(
          all(
            MacroLoan.including(required: MacroLoan.member),
            of: MacroPair<MacroLoan, MacroMember>.self))
      case .narrowChildrenByMacro:
        reading(
          all(
            MacroMember.including(all: MacroMember.loans),
            of: MacroFamily<MacroMember, MacroLoan>.self))
      case .narrowInsertMacro:
        writing("newLoan", IndexedLoan.self, insert(Dataset.newLoans.map(MacroNewLoan.init)))
      default: nil
      }
    #else
      nil
    #endif
  }
}
