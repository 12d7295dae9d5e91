/// Remembers the forms that `Inflections.default` gives: association keys are asked for again and
/// again.
final class InflectionCache: Sendable {
  static let shared = InflectionCache()

  /// An application has far fewer names. The bound is there for names that come from data.
  private static let capacity = 2_000

  private struct Forms {
    var plurals: [BinaryText: String] = [:]
    var singulars: [BinaryText: String] = [:]
  }

  private let forms = Locked(Forms())

  func plural(of name: String) -> String {
    form(of: name, in: \.plurals) { $0.pluralize(name) }
  }

  func singular(of name: String) -> String {
    form(of: name, in: \.singulars) { $0.singularize(name) }
  }

  func clear() {
    forms.withLock { $0 = Forms() }
  }

  private func form(
    of name: String, in path: WritableKeyPath<Forms, [BinaryText: String]>,
    compute: (Inflections) -> String
  ) -> String {
    let key = BinaryText(name)
    return forms.withLock { forms in
      if let form = forms[keyPath: path][key] { return form }
      if forms[keyPath: path].count >= Self.capacity { forms[keyPath: path] = [:] }
      let form = compute(.default)
      forms[keyPath: path][key] = form
      return form
    }
  }
}

extension String {
  /// The plural form, according to `Inflections.default`.
  var pluralized: String { InflectionCache.shared.plural(of: self) }

  /// The singular form, according to `Inflections.default`.
  var singularized: String { InflectionCache.shared.singular(of: self) }
}
