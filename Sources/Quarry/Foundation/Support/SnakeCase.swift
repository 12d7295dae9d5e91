extension String {
  /// `the_url` for `theURL`: the conversion of `JSONEncoder`.
  ///
  /// A word starts at a capital after the first letter; several capitals are one word, but for the
  /// last one before a small letter.
  var snakeCased: String {
    let letters = Array(self)
    var words: [ArraySlice<Character>] = []
    var wordStart = 0
    var position = 1
    while position < letters.count,
      let capital = letters[position...].firstIndex(where: \.isUppercase)
    {
      words.append(letters[wordStart..<capital])
      wordStart = capital
      guard let small = letters[capital...].firstIndex(where: \.isLowercase) else { break }
      if small > capital + 1 {
        words.append(letters[capital..<(small - 1)])
        wordStart = small - 1
      }
      position = small + 1
    }
    words.append(letters[wordStart...])
    return words.map { String($0).lowercased() }.joined(separator: "_")
  }

  /// `theUrl` for `the_url`: the conversion of `JSONDecoder`. Underscores at both ends stay.
  var camelCased: String {
    guard let first = firstIndex(where: { $0 != "_" }),
      let last = lastIndex(where: { $0 != "_" })
    else { return self }
    let words = self[first...last].split(separator: "_")
    guard words.count > 1 else { return self }
    let converted = words.enumerated().map { index, word in
      index == 0 ? word.lowercased() : word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
    return self[..<first] + converted.joined() + self[index(after: last)...]
  }
}
