// Written by Scripts/generate, from OrderedRequest.swift: change that file.

extension OrderedRequest {
  /// Replaces the ordering. See `order(_:)`.
  public consuming func order(_ orderings: any SQLOrderingTerm...) -> Self {
    order(orderings)
  }
}
