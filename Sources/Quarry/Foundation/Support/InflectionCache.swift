/// Remembers the forms that `Inflections.default` gives: association keys are asked for again and
/// again.
enum InflectionCache {
  private static let forms = Locked<[InflectionForm: RecentValues<BinaryText, String>]>([:])

  static func form(_ form: InflectionForm, of name: String) -> String {
    forms.withLock { forms in
      // An application has far fewer names. The bound is there for names that come from data.
      forms[form, default: RecentValues(capacity: 2_000)].value(BinaryText(name)) {
        Inflections.default.inflect(name, form)
      }
    }
  }

  static func clear() { forms.withLock { $0 = [:] } }
}

extension String {
  /// The plural form, according to `Inflections.default`.
  var pluralized: String { InflectionCache.form(.plural, of: self) }

  /// The singular form, according to `Inflections.default`.
  var singularized: String { InflectionCache.form(.singular, of: self) }
}
