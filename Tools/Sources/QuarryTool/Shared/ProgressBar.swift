import ArgumentParser
import Foundation

/// How far an import or export is, on standard error.
///
///     [##############                ]  48 %  412,000 rows
final class ProgressBar {
  private let total: Int
  private let isShown: Bool
  private var shownPercent = -1
  private var shownAt = Date.distantPast

  /// - parameter total: the number at the end.
  init(total: Int, isShown: Bool) {
    self.total = total
    self.isShown = isShown
  }

  /// Shows the bar, a few times a second.
  func advance(to count: Int, rows: Int? = nil) {
    guard isShown, count.isMultiple(of: 256) || count == total else { return }
    let percent = total > 0 ? min(100, count * 100 / total) : 100
    guard percent != shownPercent || -shownAt.timeIntervalSinceNow > 0.2 else { return }
    shownPercent = percent
    shownAt = Date()
    show(percent, rows ?? count)
  }

  /// Shows the end, and goes to the next line.
  func finish(rows: Int) {
    guard isShown else { return }
    show(100, rows)
    FileHandle.standardError.write(Data("\n".utf8))
  }

  private func show(_ percent: Int, _ rows: Int) {
    let length = percent * 30 / 100
    let bar =
      String(repeating: "#", count: length) + String(repeating: " ", count: 30 - length)
    let number = String(repeating: " ", count: max(0, 3 - "\(percent)".count)) + "\(percent)"
    FileHandle.standardError.write(Data("\r[\(bar)] \(number) %  \(rows.counted("row"))".utf8))
  }
}

/// Whether there is a progress bar: by default, where standard error is a terminal.
struct ProgressOptions: ParsableArguments {
  @Flag(inversion: .prefixedNo, help: "Show a progress bar on standard error.")
  var progress: Bool?

  func bar(total: Int) -> ProgressBar {
    ProgressBar(total: total, isShown: progress ?? Output.isErrorTerminal)
  }
}
