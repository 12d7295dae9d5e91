/// The identity of a table in a request. See ``TableAlias``.
///
/// An alias has no state but its name: building requests never changes it.
public class TableAliasBase: @unchecked Sendable {
  /// The name to give to the table in the SQL, if any.
  let name: String?

  package init(name: String?) { self.name = name }
}

extension TableAliasBase: Hashable {
  /// Aliases are equal to themselves only.
  public static func == (lhs: TableAliasBase, rhs: TableAliasBase) -> Bool { lhs === rhs }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension TableAliasBase {
  /// A selection from the aliased table.
  ///
  /// ```swift
  /// // SELECT "b".* FROM "book" "b"
  /// let b = TableAlias(name: "b")
  /// Book.aliased(b).select(b[AllColumns()])
  /// ```
  public subscript(_ selection: some SQLSelectable) -> SQLSelection {
    selection.sqlSelection.qualified(by: self)
  }

  /// An expression over the columns of the aliased table.
  ///
  /// ```swift
  /// // SELECT "b".* FROM "book" "b" WHERE "b"."year" > ?
  /// let b = TableAlias(name: "b")
  /// Book.aliased(b).filter(b[Column("year")] > 2000)
  /// ```
  public subscript(
    _ expression: some SQLSpecificExpressible & SQLSelectable & SQLOrderingTerm
  ) -> SQLExpression { expression.sqlExpression.qualified(by: self) }

  /// An ordering by columns of the aliased table.
  public subscript(_ ordering: some SQLOrderingTerm) -> SQLOrdering {
    ordering.sqlOrdering.qualified(by: self)
  }

  /// A column of the aliased table.
  ///
  /// ```swift
  /// // SELECT "b".* FROM "book" "b" WHERE "b"."year" > ?
  /// let b = TableAlias(name: "b")
  /// Book.aliased(b).filter(b["year"] > 2000)
  /// ```
  public subscript(_ column: String) -> SQLExpression {
    SQLExpression(.column(column)).qualified(by: self)
  }
}

/// An identity for a table of a request, for clauses that deal with several tables.
///
/// ```swift
/// // SELECT "book".* FROM "book"
/// // JOIN "author" ON "author"."id" = "book"."authorId"
/// // WHERE "book"."year" > "author"."deathYear"
/// let author = TableAlias<Author>()
/// Book
///   .joining(required: Book.author.aliased(author))
///   .filter(Column("year") > author[Column("deathYear")])
/// ```
///
/// An alias designates one table: a request that attaches it to two is refused when it is prepared.
/// A name is needed only where SQL written by hand refers to the table: a table that is in a
/// request twice gets numbered names, and so does that of a subquery which refers to the same table
/// outside. Such a subquery is refused when its SQL written by hand has the name of the table.
@dynamicMemberLookup
public final class TableAlias<RowDecoder>: TableAliasBase, @unchecked Sendable {
  /// Creates an alias, with the name of the table in the SQL, if it matters.
  public init(name: String? = nil) where RowDecoder == Void { super.init(name: name) }

  /// Creates an alias for a type of records, with the name of the table in the SQL, if it matters.
  public init(name: String? = nil, for rowDecoder: RowDecoder.Type = RowDecoder.self) {
    super.init(name: name)
  }

  /// True if the aliased table has a row: false for an optional association without match.
  ///
  /// ```swift
  /// // SELECT "book".*, "author"."id" IS NOT NULL AS "hasAuthor" FROM "book"
  /// // LEFT JOIN "author" ON "author"."id" = "book"."authorId"
  /// let author = TableAlias<Author>()
  /// Book
  ///   .joining(optional: Book.author.aliased(author))
  ///   .annotated(with: author.exists.forKey("hasAuthor"))
  /// ```
  public var exists: SQLExpression { SQLExpression(.aliasExists(self, isNegated: false)) }
}

extension InvalidRequest {
  /// The fault of a column of an alias that is in no part of the request.
  static func undefinedAlias(_ alias: TableAliasBase) -> InvalidRequest {
    InvalidRequest(
      "Undefined alias has no table name",
      details: "\(type(of: alias)) must be given to the request, or to one of its associations, "
        + "with `aliased(_:)`")
  }
}
