// A program that tries inputs: texts and files that are nearly right, and those that grow from
// them.
//
//     FuzzTarget NAME [--count N] [--seed N] [--input FILE]
//
// It changes the inputs of Tests/FuzzTarget/Corpus at random; `--input` tries the one of a file.
// Built by Scripts/fuzz, it is guided by the branches that inputs reach, and keeps those that reach
// a new one: its arguments are those of libFuzzer then, <https://llvm.org/docs/LibFuzzer.html>.
//
// An input that crashes, that takes too long, or has a wrong answer, ends the program, and is
// written to a file.

import CFuzz
import Foundation

#if GUIDED
  /// The target has the name of the folder of inputs, the first argument.
  private let guided: (target: FuzzTarget, folder: URL) = {
    guard CommandLine.arguments.count > 1 else { fail("the first argument is a folder of inputs") }
    let folder = URL(fileURLWithPath: CommandLine.arguments[1])
    return (FuzzTarget.named(folder.lastPathComponent), folder)
  }()

  /// Called by libFuzzer at first.
  @_cdecl("LLVMFuzzerInitialize")
  public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
  ) -> CInt {
    do {
      for (number, input) in try guided.target.seeds().enumerated() {
        try Data(input).write(to: guided.folder.appendingPathComponent("made-\(number)"))
      }
    } catch {
      fail("\(error)")
    }
    return 0
  }

  /// Called by libFuzzer with each input.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func attempt(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guided.target.attempt(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  }
#else
  @main
  enum FuzzProgram {
    static func main() throws {
      var arguments = CommandLine.arguments.dropFirst()
      let target = FuzzTarget.named(arguments.popFirst() ?? "")
      var values: [String: String] = [:]
      while let key = arguments.popFirst() {
        guard ["--count", "--seed", "--input"].contains(key), let value = arguments.popFirst()
        else { fail("\(key) is no option, or has no value") }
        values[key] = value
      }
      func number(_ key: String, _ standard: Int) -> Int {
        guard let text = values[key] else { return standard }
        guard let number = Int(text) else { fail("\(key) \(text)") }
        return number
      }
      if let path = values["--input"] {
        target.attempt([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        return print("\(target.name): \(path) is right")
      }
      try run(
        target, count: number("--count", 10_000), seed: number("--seed", .random(in: 1..<1_000_000))
      )
    }

    private static func run(_ target: FuzzTarget, count: Int, seed: Int) throws {
      print("\(target.name): seed \(seed)")
      fflush(nil)
      quarry_fuzz_report_to(NSTemporaryDirectory() + "/quarry-fuzz-\(target.name)-input")
      let corpus = try target.corpus()
      var mutations = Mutations(
        corpus, maximumSize: target.maximumSize, seed: UInt64(bitPattern: Int64(seed)))
      for input in corpus { attempt(input, target) }
      for _ in 0..<count { attempt(mutations.next(), target) }
      print("\(target.name): \(count) inputs")
    }

    private static func attempt(_ input: [UInt8], _ target: FuzzTarget) {
      input.withUnsafeBufferPointer { bytes in
        quarry_fuzz_begin(bytes.baseAddress, bytes.count)
        target.attempt(input)
      }
    }
  }
#endif

private func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("FuzzTarget: \(text)\n".utf8))
  exit(2)
}

extension FuzzTarget {
  fileprivate static func named(_ name: String) -> FuzzTarget {
    guard let target = all.first(where: { $0.name == name }) else {
      fail("the name is one of \(all.map(\.name).joined(separator: ", "))")
    }
    return target
  }
}
