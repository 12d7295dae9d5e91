/// The names that a misspelt one may stand for: asked for when an error is created, never before.
package enum NameSuggestion {
  /// More names, and longer ones, are not compared: an error must not take longer than what has
  /// failed.
  private static let maximumCount = 2_000
  private static let maximumLength = 64
  private static let maximumListCount = 12

  /// `did you mean "title"?` Nil when no name is similar.
  static func text(for name: String, among names: some Sequence<String>) -> String? {
    let similar = similar(to: name, among: names)
    guard !similar.isEmpty else { return nil }
    return "did you mean \(similar.map(\.debugDescription).joined(separator: " or "))?"
  }

  /// The similar names, else all of them if they are few: `title: "a", "b"`. Nil without names.
  package static func text(
    for name: String, among names: some Sequence<String>, orList title: String
  ) -> String? { text(for: name, among: names) ?? list(names, title) }

  /// `title: "a", "b"`. Nil without names, and for many.
  static func list(_ names: some Sequence<String>, _ title: String) -> String? {
    let list = Array(names.prefix(maximumListCount + 1))
    guard !list.isEmpty, list.count <= maximumListCount else { return nil }
    return "\(title): \(list.map(\.debugDescription).joined(separator: ", "))"
  }

  /// The most similar names: several, if they are equally similar.
  static func similar(to name: String, among names: some Sequence<String>) -> [String] {
    let letters = letters(name)
    guard !letters.isEmpty, letters.count <= maximumLength else { return [] }
    var best = limit(letters.count)
    var result: [String] = []
    for candidate in names.prefix(maximumCount)
    where candidate.utf8.count <= 2 * maximumLength && !result.contains(candidate) {
      guard candidate != name, let distance = distance(letters, self.letters(candidate), best)
      else { continue }
      if distance < best { result.removeAll() }
      best = distance
      result.append(candidate)
    }
    return Array(result.prefix(3))
  }

  /// How many letters may differ.
  private static func limit(_ count: Int) -> Int {
    switch count {
    case 1...2: 0
    case 3...5: 1
    case 6...9: 2
    default: 3
    }
  }

  /// SQLite folds the case of ASCII letters. Snake case and camel case are one spelling here:
  /// strategies convert them.
  private static func letters(_ name: String) -> [UInt8] {
    name.utf8.filter { $0 != UInt8(ascii: "_") }.map(\.lowercasedASCII)
  }

  /// The number of letters that are inserted, removed, replaced, or swapped with their neighbor.
  /// Nil beyond the limit.
  private static func distance(_ a: [UInt8], _ b: [UInt8], _ limit: Int) -> Int? {
    guard !b.isEmpty, abs(a.count - b.count) <= limit else { return nil }
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var cost = min(replaced, last[j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          cost = min(cost, before[j - 2] + 1)
        }
        row.append(cost)
      }
      before = last
      last = row
    }
    return last[b.count] <= limit ? last[b.count] : nil
  }
}
