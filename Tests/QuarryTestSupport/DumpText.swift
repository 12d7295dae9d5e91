/// A stream that keeps what is written.
public final class DumpText: TextOutputStream {
  public private(set) var text = ""

  public init() {}

  public func write(_ string: String) { text += string }
}
