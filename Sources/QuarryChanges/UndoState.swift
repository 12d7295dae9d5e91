/// What an ``UndoStack`` can undo and redo: what menus and buttons show.
public struct UndoState: Hashable, Sendable {
  /// The name of the step that `undo()` takes back, nil where there is none.
  public let undoName: String?

  /// The name of the step that `redo()` makes again, nil where there is none.
  public let redoName: String?

  /// The number of steps that can be undone.
  public let undoCount: Int

  /// The number of steps that can be made again.
  public let redoCount: Int

  /// Whether there is a step to undo.
  public var canUndo: Bool { undoName != nil }

  /// Whether there is a step to make again.
  public var canRedo: Bool { redoName != nil }
}

/// How much an ``UndoStack`` keeps.
public struct UndoLimit: Hashable, Sendable {
  /// The number of steps, nil for any number.
  public var steps: Int?

  /// The number of bytes of all changesets, nil for any number.
  public var bytes: Int?

  /// Creates a limit: by default, a hundred steps.
  ///
  /// - precondition: No limit is negative.
  public init(steps: Int? = 100, bytes: Int? = nil) {
    precondition(steps ?? 0 >= 0 && bytes ?? 0 >= 0, "A limit can't be negative")
    self.steps = steps
    self.bytes = bytes
  }
}

/// Where an ``UndoStack`` keeps its steps.
public enum UndoStorage: Hashable, Sendable {
  /// In a temporary table of the connection that writes: they go when it is closed.
  case memory
  /// In a table of the main database: they are there after a restart.
  case table(String)
}
