// Written by Scripts/generate, from SelectionRequest.swift: change that file.

extension SelectionRequest {
  /// Replaces the selection. See `select(_:)`.
  public consuming func select(_ selection: any SQLSelectable...) -> Self {
    select(selection)
  }

  /// Appends to the selection. See `annotated(with:)`.
  public consuming func annotated(with selection: any SQLSelectable...) -> Self {
    annotated(with: selection)
  }
}
