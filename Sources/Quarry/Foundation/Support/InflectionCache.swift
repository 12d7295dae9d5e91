/// Remembers the forms that `Inflections.default` gives: association keys are asked for again and
/// again.
enum InflectionCache {
  private struct Forms {
    // An application has far fewer names. The bound is there for names that come from data.
    var plurals = RecentValues<BinaryText, String>(capacity: 2_000)
    var singulars = RecentValues<BinaryText, String>(capacity: 2_000)
  }

  private static let forms = Locked(Forms())

  static func plural(of name: String) -> String {
    forms.withLock { forms in
      forms.plurals.value(BinaryText(name)) { Inflections.default.pluralize(name) }
    }
  }

  static func singular(of name: String) -> String {
    forms.withLock { forms in
      forms.singulars.value(BinaryText(name)) { Inflections.default.singularize(name) }
    }
  }

  static func clear() {
    forms.withLock { $0 = Forms() }
  }
}

extension String {
  /// The plural form, according to `Inflections.default`.
  var pluralized: String { InflectionCache.plural(of: self) }

  /// The singular form, according to `Inflections.default`.
  var singularized: String { InflectionCache.singular(of: self) }
}
