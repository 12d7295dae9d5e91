import Foundation

/// A key, or a combination with Control.
enum Key {
  case character(Character)
  case enter, backspace, delete, left, right, up, down, home, end
  case endOfInput, cancel, clear, deleteWord, unknown
}

/// Standard input without echo and lines, until it is restored.
struct RawTerminal {
  private var former = termios()

  init() throws {
    guard tcgetattr(STDIN_FILENO, &former) == 0 else {
      throw ToolError("standard input is no terminal")
    }
    var raw = former
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
  }

  func restore() {
    var former = former
    tcsetattr(STDIN_FILENO, TCSADRAIN, &former)
  }

  /// The next key, nil at the end of the input.
  func readKey() -> Key? {
    guard let byte = readByte() else { return nil }
    switch byte {
    case 0x0D, 0x0A: return .enter
    case 0x7F, 0x08: return .backspace
    case 0x01: return .home
    case 0x03: return .cancel
    case 0x04: return .endOfInput
    case 0x05: return .end
    case 0x15: return .clear
    case 0x17: return .deleteWord
    case 0x1B: return readEscape()
    case 0x09: return .character(" ")
    case 0x00..<0x20: return .unknown
    default: return readCharacter(byte)
    }
  }

  private func readEscape() -> Key? {
    guard let bracket = readByte() else { return nil }
    guard bracket == UInt8(ascii: "[") || bracket == UInt8(ascii: "O") else { return .unknown }
    guard let code = readByte() else { return nil }
    switch code {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return .right
    case UInt8(ascii: "D"): return .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case 0x30...0x39: return readNumberedKey(code)
    default: return .unknown
    }
  }

  /// `ESC [ 3 ~`
  private func readNumberedKey(_ first: UInt8) -> Key? {
    var last = first
    while last != UInt8(ascii: "~"), last < 0x40 {
      guard let byte = readByte() else { return nil }
      last = byte
    }
    switch first {
    case UInt8(ascii: "1"), UInt8(ascii: "7"): return .home
    case UInt8(ascii: "4"), UInt8(ascii: "8"): return .end
    case UInt8(ascii: "3"): return .delete
    default: return .unknown
    }
  }

  private func readCharacter(_ first: UInt8) -> Key? {
    var bytes = [first]
    let count = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    while bytes.count < count {
      guard let byte = readByte() else { return nil }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self).first.map(Key.character) ?? .unknown
  }

  private func readByte() -> UInt8? {
    var byte: UInt8 = 0
    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
  }
}
