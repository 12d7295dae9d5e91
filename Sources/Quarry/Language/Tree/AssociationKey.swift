/// The singular and plural names of an association.
package struct AssociationKey: Sendable {
  package var singular: String
  package var plural: String
}

extension AssociationKey {
  /// The two forms of a name of unknown number: that of a table.
  init(inflecting name: String) {
    singular = name.singularized
    plural = name.pluralized
  }

  /// A name chosen by the user for a to-one association.
  init(singular name: String) {
    singular = name
    plural = name.pluralized
  }

  /// A name chosen by the user for a to-many association.
  init(plural name: String) {
    singular = name.singularized
    plural = name
  }
}
