/// A request that record types derive new requests from: the requests of the query interface, and
/// associations.
///
/// ```swift
/// extension DerivableRequest<Author> {
///   /// Authors from a country.
///   func filter(country: String) -> Self {
///     filter(Column("country") == country)
///   }
/// }
///
/// // SELECT * FROM "author" WHERE "country" = ?
/// Author.all().filter(country: "FR")
///
/// // SELECT "book".* FROM "book"
/// // JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."country" = ?)
/// Book.joining(required: Book.author.filter(country: "FR"))
/// ```
public protocol DerivableRequest<RowDecoder>: AggregatingRequest, FilteredRequest, JoinableRequest,
  OrderedRequest, SelectionRequest, TableRequest
{
  /// Removes duplicate rows.
  ///
  /// ```swift
  /// // SELECT DISTINCT "team" FROM "player"
  /// Player.all().select(Column("team")).distinct()
  /// ```
  consuming func distinct() -> Self

  /// Defines a common table expression for the request.
  ///
  /// ```swift
  /// // WITH "recent" AS (SELECT …) SELECT * FROM "book" WHERE "id" IN "recent"
  /// Book.all().with(recent).filter(recent.contains(Column("id")))
  /// ```
  ///
  /// A later definition replaces the one with the same name, also where one association is joined
  /// twice. Fetching throws ``InvalidRequest`` if other joined requests define different table
  /// expressions with one name.
  consuming func with<T>(_ cte: CommonTableExpression<T>) -> Self
}
