#if Macros
  import Quarry

  /// How the values of an expression are stored: two columns of dates may store one as a number and
  /// the other one as a text. Their types are the same for the compiler, and a comparison of them
  /// is wrong.
  enum StoredForm: Sendable {
    /// As the type stores itself.
    case plain
    /// By a coding.
    case coding(any ColumnCoding.Type)
    /// Not known: the type has been declared by hand.
    case unknown

    /// The reason why values of two forms can't be compared, or nil.
    func fault(with other: StoredForm) -> String? {
      switch (self, other) {
      case (.unknown, _), (_, .unknown), (.plain, .plain): return nil
      case (.coding(let coding), .coding(let other)) where coding == other: return nil
      default:
        return """
          \(self) is not comparable with \(other): give both columns the same coding, or compare \
          them untyped, with a conversion in SQL
          """
      }
    }
  }

  extension StoredForm: CustomStringConvertible {
    var description: String {
      switch self {
      case .plain: "a column without coding"
      case .coding(let coding): "a column with the coding \(coding)"
      case .unknown: "a column with an unknown coding"
      }
    }
  }

  extension Typed {
    /// The expression, for a comparison with another one.
    func comparable<OtherRoot, OtherValue, Other>(
      with other: Typed<OtherRoot, OtherValue, Other>
    ) -> SQLExpression {
      guard let fault = coding.form.fault(with: other.coding.form) else { return sqlExpression }
      return DatabaseValue.invalid(fault).sqlExpression
    }

    /// The expression, for functions of the values themselves: those of a coding are stored in
    /// another way, as a price may be stored in cents, and texts in Base64.
    var plain: SQLExpression { ofPlainColumn(sqlExpression) }

    /// The expression of a value, for an arithmetic assignment.
    func plain(_ value: Value) -> SQLExpression { ofPlainColumn(expression(value)) }

    /// The expression, for an arithmetic assignment of a column.
    func plain<ColumnRoot, ColumnValue>(
      for column: TypedColumn<ColumnRoot, ColumnValue>
    ) -> SQLExpression { column.ofPlainColumn(plain) }

    private func ofPlainColumn(_ expression: @autoclosure () -> SQLExpression) -> SQLExpression {
      guard case .coding(let coding) = coding.form else { return expression() }
      return DatabaseValue.invalid(
        """
        a column with the coding \(coding) stores something else than its values: use `untyped`, which \
        is what is stored
        """
      ).sqlExpression
    }
  }
#endif
